import { reportScheduleKind, scheduledReports } from '../server/reports';
import type { JobStep, ScheduleKind } from '../server/queue';
import { createRuntime } from '../server/runtime';
import { createJobSteps } from '../workers/job-steps';
import { runJobs } from '../workers/jobs';
import { runSchedules } from '../workers/schedules';

/**
 * A worker that only starts scheduled reports and makes them, by a clock in a table of the database
 * (`harness_clock`). If the table `harness_holds` names a place, the first worker that gets there
 * takes the row, sends `holds <place>`, and pauses until it is killed. At `period`, the transaction
 * that stores the job is open; at `step`, the job is claimed and nothing is done; at `stored`, the
 * report is stored but the end of the job is not yet recorded. After each pass over a clock time it
 * sends `looked <time>`.
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
  [...createJobSteps(runtime).reports].map(([name, step]): [string, JobStep] => [
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
      // The second query for the same time means that one pass has finished.
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
