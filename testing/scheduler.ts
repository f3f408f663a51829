import { newId } from '../server/platform';
import { type Schedule, type ScheduleKind, storeJob } from '../server/queue';
import { createRuntime } from '../server/runtime';
import { runSchedules } from '../workers/schedules';

/**
 * A process that runs only schedules, by a clock in a table of the database (`harness_clock`).
 * `HARNESS_SCHEDULES` lists them; `HARNESS_CATCH_UP` sets the handling of missed periods. With
 * `HARNESS_HOLD` it stores its first job and then waits with the transaction open until it is
 * killed. After each pass over a clock time it sends `looked <time>`.
 */
const runtime = createRuntime('worker');
const schedules = (
  JSON.parse(process.env.HARNESS_SCHEDULES ?? '[]') as (Omit<Schedule, 'since'> & {
    since: string;
  })[]
).map((each) => ({
  ...each,
  since: new Date(each.since),
}));

const kind: ScheduleKind = {
  catchUp: (process.env.HARNESS_CATCH_UP ?? 'latest') as ScheduleKind['catchUp'],
  list: () => Promise.resolve(schedules),
  async start(project, tx, schedule, period) {
    // Uses a new id each time: a period started twice would be two jobs.
    const id = newId('job', runtime.ctx.clock.now());
    await storeJob(project, tx, {
      id,
      kind: 'harness',
      input: { schedule: schedule.name, period: period.toISOString() },
    });
    if (process.env.HARNESS_HOLD === undefined) return id;
    process.send?.({ holds: id });
    return new Promise(() => undefined);
  },
};

let seen = '';
let reported = '';

process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
await runSchedules(runtime.ctx, {
  signal: runtime.stopping.signal,
  kinds: new Map([['harness', kind]]),
  everyMs: 5,
  async readClock({ sql }) {
    const [row] = await sql<{ at: string }[]>`select at from harness_clock`;
    const at = new Date(row?.at ?? 0);
    // The second query for the same time means that one pass has finished.
    if (seen === at.toISOString() && reported !== seen) {
      reported = seen;
      process.send?.({ [`looked ${seen}`]: true });
    }
    seen = at.toISOString();
    return at;
  },
});
