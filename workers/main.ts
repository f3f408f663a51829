import { checkSchema, createRuntime, tellNet } from '../server/runtime';
import { watchAlerts } from '../server/calibration';
import { pruneDeliveries } from '../server/deliveries';
import { createRunGates } from '../server/evaluators/code/gates';
import { type ClaimedWork, noteBox, noteBoxEveryMs } from '../server/queue';
import { createBoxKeeper } from '../server/sandbox';
import { pruneAnswers } from '../server/traces';
import { judgeSubject, pruneKept, workThrough } from '../server/verdicts';
import { runAnchorChanges } from './anchor-changes';
import { runDeletions, runPruning } from './custody';
import { runDeliveries } from './deliver';
import { runDesks } from './desks';
import { jobSteps } from './job-steps';
import { runJobs } from './jobs';
import { runLane } from './lane';
import { runRefresh } from './refresh';
import { runSchedules, scheduleKinds } from './schedules';
import { runSlowLane } from './slow-lane';
import { runTrust } from './trust';

const pruneEveryMs = 60 * 60 * 1000;

/** A worker process. Keeps no state; any number of them may run. */
async function main(): Promise<void> {
  const runtime = createRuntime('worker');
  const { ctx, owner, stopping } = runtime;
  const box = createBoxKeeper();
  const subjects = { ...runtime.subjects, gates: createRunGates(box) };
  await checkSchema(ctx.sql);
  await tellNet(ctx);
  const stop = (): void => {
    stopping.abort();
    setTimeout(() => process.exit(0), 9_000).unref();
  };
  const tellBox = (): void =>
    void noteBox(ctx, owner, box.state()).catch((error: unknown) => ctx.log.warn({ err: error }, 'state of the box not told'));
  const telling = setInterval(tellBox, noteBoxEveryMs);
  // That it lives is known before its box is.
  tellBox();
  void box.check().then(tellBox);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  const prune = (): void =>
    void Promise.all([pruneAnswers(ctx), pruneDeliveries(ctx), pruneKept(ctx)]).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'nothing pruned'),
    );
  const pruning = setInterval(prune, pruneEveryMs);
  prune();
  const verifySlow = async (work: ClaimedWork, signal: AbortSignal): Promise<void> => {
    if (work.subjectKind !== 'turn' && subjects.kinds.has(work.verifier)) await judgeSubject(ctx, subjects, { owner, work, signal });
    else await workThrough(ctx, { owner, claimed: [work], rules: runtime.rules, subjects, signal });
  };
  const steps = jobSteps(runtime);
  ctx.log.info({ owner }, 'worker is ready');
  process.send?.({ ready: true });
  await Promise.all([
    runLane(ctx, { owner, signal: stopping.signal, rules: runtime.rules, subjects }),
    runSlowLane(ctx, { owner, signal: stopping.signal, verify: verifySlow }),
    runRefresh(ctx, { signal: stopping.signal }),
    runDesks(ctx, { signal: stopping.signal }),
    runTrust(ctx, { signal: stopping.signal, prompts: runtime.prompts }),
    runDeliveries(ctx, { owner, signal: stopping.signal }),
    watchAlerts(ctx, { signal: stopping.signal, standIn: false }),
    runJobs(ctx, { owner, signal: stopping.signal, steps: steps.quick }),
    runJobs(ctx, { owner, signal: stopping.signal, steps: steps.asking }),
    runJobs(ctx, { owner, signal: stopping.signal, steps: steps.reporting }),
    runSchedules(ctx, { signal: stopping.signal, kinds: scheduleKinds }),
    runAnchorChanges(ctx, { signal: stopping.signal, subjects }),
    runDeletions(ctx, { signal: stopping.signal }),
    runPruning(ctx, { signal: stopping.signal }),
  ]);
  clearInterval(pruning);
  clearInterval(telling);
  box.stop();
  await runtime.close();
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`worker: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
