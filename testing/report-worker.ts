import { reportScheduleKind, scheduledReports } from '../server/reports';
import type { JobStep, ScheduleKind } from '../server/queue';
import { createRuntime } from '../server/runtime';
import { jobSteps } from '../workers/job-steps';
import { runJobs } from '../workers/jobs';
import { runSchedules } from '../workers/schedules';

/**
 * A worker that starts reports on time and makes them, and does nothing else, by a clock that is in
 * a table of the database (`harness_clock`). Where the table `harness_holds` names a place, the
 * first worker that comes there takes the row, prints `holds <place>`, and pauses until it is
 * killed: at the `period`, with the transaction open that stores it; at the `step`, the job claimed
 * and nothing done; when the report is `stored`, before the job's end is noted. It prints each time
 * that it has read: `looked <time>`.
 */
const runtime = createRuntime('worker');
const { ctx, owner, stopping } = runtime;

async function holdAt(place: 'period' | 'step' | 'stored'): Promise<void> {
  const taken = await ctx.sql`delete from harness_holds where place = ${place} returning place`;
  if (taken.length === 0) return;
  process.send?.({ [`holds ${place}`]: true });
  await new Promise(() => undefined);
}

const kind: ScheduleKind = {
  ...scheduledReports,
  async start(...given) {
    const id = await scheduledReports.start(...given);
    await holdAt('period');
    return id;
  },
};

const steps = new Map(
  [...jobSteps(runtime).reporting].map(([name, step]): [string, JobStep] => [
    name,
    async (job, signal) => {
      await holdAt('step');
      const progress = await step(job, signal);
      if (progress.cursor === null) await holdAt('stored');
      return progress;
    },
  ]),
);

let seen = '';
let reported = '';

process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
await Promise.all([
  runSchedules(ctx, {
    signal: stopping.signal,
    kinds: new Map([[reportScheduleKind, kind]]),
    everyMs: 5,
    async readClock({ sql }) {
      const [row] = await sql<{ at: string }[]>`select at from harness_clock`;
      const at = new Date(row?.at ?? 0);
      // The second query for the same time means that it has finished one pass.
      if (seen === at.toISOString() && reported !== seen) {
        reported = seen;
        process.send?.({ [`looked ${seen}`]: true });
      }
      seen = at.toISOString();
      return at;
    },
  }),
  runJobs(ctx, { owner, signal: stopping.signal, steps }),
]);
