import { anchorScheduleKind, anchorSchedules } from '../server/experiments';
import { reportScheduleKind, reportSchedules } from '../server/reports';
import type { Ctx } from '../server/platform';
import { type ScheduleKinds, startDue } from '../server/queue';

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
  const { signal, kinds } = options;
  while (!signal.aborted) {
    try {
      await startDue(ctx, kinds, options.readClock);
    } catch (error) {
      ctx.log.warn({ err: error }, 'schedules: storage fault');
    }
    if (!signal.aborted) await pause(options.everyMs ?? everyMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
