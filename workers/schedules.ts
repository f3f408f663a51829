import { anchorScheduleKind, anchorSchedules } from '../server/experiments';
import { reportScheduleKind, scheduledReports } from '../server/reports';
import type { Ctx } from '../server/platform';
import { poll, type ScheduleKinds, startScheduledJobs } from '../server/queue';

/** All schedule kinds of this release. */
export const scheduleKinds: ScheduleKinds = new Map([
  [anchorScheduleKind, anchorSchedules],
  [reportScheduleKind, scheduledReports],
]);

export interface SchedulesOptions {
  readonly signal: AbortSignal;
  readonly kinds: ScheduleKinds;
  /** Tests check more often, and with another clock. */
  readonly everyMs?: number;
  readonly readClock?: Parameters<typeof startScheduledJobs>[2];
}

/**
 * Maximum delay between the time of a period and its start; cron has a resolution of one minute.
 */
const everyMs = 5_000;

/**
 * Starts scheduled work until `signal` fires. Any number of processes may run this: each period is
 * started only once.
 */
export async function runSchedules(ctx: Ctx, options: SchedulesOptions): Promise<void> {
  await poll(ctx, {
    name: 'schedules',
    signal: options.signal,
    claim: async () => {
      await startScheduledJobs(ctx, options.kinds, options.readClock);
      return null;
    },
    idleMs: options.everyMs ?? everyMs,
  });
}
