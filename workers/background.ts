import { watchAlerts } from '../server/alerts';
import { pruneDeliveries } from '../server/deliveries';
import { createRunGates } from '../server/code/gates';
import { pruneDrafts } from '../server/experiments';
import { createFunctionRunner } from '../server/evaluators/functions';
import {
  type ClaimedWork,
  storeBoxReport,
  boxReportEveryMs,
  warnOfEviction,
} from '../server/queue';
import type { Runtime } from '../server/runtime';
import { createBoxMonitor } from '../server/sandbox';
import { pruneAnswers } from '../server/ingest';
import {
  createJoinedStore,
  createRecentRuns,
  pruneCachedJudgements,
  type RunsFor,
  type SubjectDeps,
  workThrough,
} from '../server/verdicts';
import { runAnchorChanges } from './anchor-changes';
import { runAuditSeals } from './audit';
import { sandboxUseIn } from './sandbox-slots';
import { runDeletions, runPruning } from './lifecycle';
import { runDeliveries } from './deliver';
import { runReviewQueues } from './review-queues';
import { createJobSteps } from './job-steps';
import { runIdle } from './idle';
import { runJobs } from './jobs';
import { runModelNames, runRefresh } from './refresh';
import { runSchedules, scheduleKinds } from './schedules';
import { runSlowLane } from './slow-lane';
import { runTrust } from './trust';

const pruneEveryMs = 60 * 60 * 1000;

/**
 * Everything a worker does except the work lane: judges and proof gates, jobs, schedules,
 * deliveries. Loading a large subject can block for a moment, so a worker runs this in a separate
 * thread. Resolves when `runtime.stopping` has fired and the work in progress is done or returned.
 */
export async function runBackground(runtime: Runtime): Promise<void> {
  const { ctx, owner, stopping } = runtime;
  const { signal } = stopping;
  const { boxesAtOnce, boxLauncherFd, boxCgroup, functionPackages } = ctx.env;
  const box = createBoxMonitor({
    atOnce: boxesAtOnce,
    launcherFd: boxLauncherFd,
    cgroup: boxCgroup,
  });
  const functions = createFunctionRunner(box, { packages: functionPackages });
  const subjects = { ...runtime.subjects, gates: createRunGates(box), functions };
  const logBox = (): void =>
    void storeBoxReport(ctx, owner, box.state()).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'state of the sandbox not reported'),
    );
  const reporting = setInterval(logBox, boxReportEveryMs);
  // The heartbeat must not wait for the sandbox check.
  logBox();
  void box.check().then(logBox);
  void warnOfEviction(ctx);
  const prune = (): void =>
    void Promise.all([
      pruneAnswers(ctx),
      pruneDeliveries(ctx),
      pruneCachedJudgements(ctx),
      pruneDrafts(ctx),
    ]).catch((error: unknown) => ctx.log.warn({ err: error }, 'nothing pruned'));
  const pruning = setInterval(prune, pruneEveryMs);
  prune();
  const runsFor = createRecentRuns(ctx, subjects);
  const steps = createJobSteps({ ...runtime, subjects });
  await Promise.all([
    runSlowLane(ctx, {
      owner,
      signal,
      verify: slowVerifier(runtime, subjects, runsFor),
      boxes: { atOnce: box.atOnce, useOf: sandboxUseIn(runsFor) },
    }),
    runRefresh(ctx, { signal }),
    runModelNames(ctx, { signal }),
    runReviewQueues(ctx, { signal }),
    runIdle(ctx, { signal, rules: runtime.rules }),
    runTrust(ctx, { signal, prompts: runtime.prompts }),
    runDeliveries(ctx, { owner, signal }),
    watchAlerts(ctx, { signal, isSubstitute: false }),
    runJobs(ctx, { owner, signal, steps: steps.quick }),
    runJobs(ctx, { owner, signal, steps: steps.modelCalls }),
    runJobs(ctx, { owner, signal, steps: steps.experiments }),
    runJobs(ctx, { owner, signal, steps: steps.reports }),
    runSchedules(ctx, { signal, kinds: scheduleKinds }),
    runAnchorChanges(ctx, { signal, subjects }),
    runDeletions(ctx, { signal }),
    runPruning(ctx, { signal }),
    runAuditSeals(ctx, { signal }),
  ]);
  clearInterval(pruning);
  clearInterval(reporting);
  functions.close();
  box.stop();
}

/** Verifies one piece of work at a time, any number of them at once. */
function slowVerifier({ ctx, owner, rules }: Runtime, subjects: SubjectDeps, runsFor: RunsFor) {
  const store = createJoinedStore(ctx, owner);
  return async (work: ClaimedWork, ending: AbortSignal): Promise<void> => {
    await workThrough(ctx, {
      owner,
      claimed: [work],
      rules,
      subjects,
      signal: ending,
      asks: true,
      runsFor,
      store,
    });
  };
}
