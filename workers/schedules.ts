import { anchorScheduleKind, anchorSchedules } from '../server/experiments';
import { reportScheduleKind, reportSchedules } from '../server/reports';
import type { Ctx } from '../server/platform';
import { poll, type ScheduleKinds, startDue } from '../server/queue';

/** All that this release does on schedule. */
export const scheduleKinds: ScheduleKinds = new Map([
  [anchorScheduleKind, anchorSchedules],
  [reportScheduleKind, reportSchedules],
]);

export interface SchedulesOptions {
  readonly signal: AbortSignal;
  readonly kinds: ScheduleKinds;
  /** A test looks more often, and at another clock. */
  readonly everyMs?: number;
  readonly readClock?: Parameters<typeof startDue>[2];
}

/** Cron counts minutes: so long after its moment a period is started at the latest. */
const everyMs = 5_000;

/**
 * Starts what is on schedule, until `signal` ends it. Any number of processes may look: each period
 * is started once.
 */
export async function runSchedules(ctx: Ctx, options: SchedulesOptions): Promise<void> {
  await poll(ctx, {
    name: 'schedules',
    signal: options.signal,
    claim: async () => {
      await startDue(ctx, options.kinds, options.readClock);
      return null;
    },
    idleMs: options.everyMs ?? everyMs,
  });
}
