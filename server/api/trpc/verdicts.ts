import type { ProjectCtx } from '../../access';
import { ProjectRef } from '../../access/input';
import { listChanges } from '../../alerts';
import { listLabelsOf, type VerdictLabels } from '../../labels';
import { getBacklog, getBoxReport, getSlowLaneState, replayWork } from '../../queue';
import { readCoverage } from '../../rules';
import {
  type FullVerdict,
  getVerdictPage,
  listFilterValues,
  listVerdicts,
  summariseProject,
  unjudged,
  type PendingVerdict,
  type VerdictPageData,
} from '../../verdicts';
import { GetVerdictIn, ListVerdictsIn, OverviewIn, ReplayIn } from '../../verdicts/input';
import { projectProcedure, router } from './builders';
import { asTurn } from './turn-view';

const liveRecheckMs = 1000;

export const verdictsRouter = router({
  overview: projectProcedure('verdicts.read')
    .input(OverviewIn)
    .query(async ({ ctx, input }) => ({
      ...(await summariseProject(ctx.project, { days: input.days })),
      box: await getBoxReport(ctx.project),
    })),
  changes: projectProcedure('verdicts.read')
    .input(OverviewIn)
    .query(async ({ ctx, input: { days } }) => {
      const changes = await listChanges(ctx.project, { days });
      return { ...changes, coverage: await readCoverage(ctx.project, { from: changes.from }) };
    }),
  list: projectProcedure('verdicts.read')
    .input(ListVerdictsIn)
    .query(async ({ ctx, input: { project: _project, ...filters } }) => ({
      ...(await listVerdicts(ctx.project, filters)),
      ...(await listFilterValues(ctx.project)),
    })),
  get: projectProcedure('verdicts.read')
    .input(GetVerdictIn)
    .query(async ({ ctx, input }) => {
      const page = await getVerdictPage(ctx.project, input.id);
      return asPage(page, await listLabelsOf(ctx.project, page.verdict.id));
    }),
  live: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .subscription(async function* ({ ctx, signal }) {
      const { runtime } = ctx;
      const { clock } = runtime.ctx;
      const ended =
        signal === undefined
          ? runtime.stopping.signal
          : AbortSignal.any([signal, runtime.stopping.signal]);
      let checkedAt = clock.monotonicMs();
      for await (const event of runtime.live.follow(ctx.project.projectId, ended)) {
        // A stream outlives the call that opened it: once the session or the membership ends, it
        // ends within a second (S-10).
        if (clock.monotonicMs() - checkedAt >= liveRecheckMs) {
          const may = await ctx.hasAccess().catch(() => null);
          if (may === false) return;
          // Unknown for now: the next event checks again.
          if (may === null) continue;
          checkedAt = clock.monotonicMs();
        }
        yield event;
      }
    }),
});

export const workRouter = router({
  waiting: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(async ({ ctx }) => ({
      ...(await getBacklog(ctx.project)),
      judging: await getSlowLaneState(ctx.project, ctx.project.projectId),
      box: await getBoxReport(ctx.project),
    })),
  replay: projectProcedure('work.replay')
    .input(ReplayIn)
    .mutation(({ ctx, input }) =>
      replayWork(ctx.project satisfies ProjectCtx, {
        subjectId: input.subjectId,
        verifier: input.verifier,
      }),
    ),
});

/** The page's data in the console's shape: JSON parts of the turn as text, as sent. */
function asPage(page: VerdictPageData, people: VerdictLabels) {
  const { turn } = page;
  return {
    ...asFlat(page.verdict),
    turn: turn === null ? null : asTurn(turn),
    attempts: page.attempts,
    people,
    previousId: page.previousId,
    nextId: page.nextId,
  };
}

type Flat = {
  readonly [K in Exclude<keyof FullVerdict, 'state' | 'outcome' | 'settledAt'>]: FullVerdict[K];
} & {
  readonly state: 'settled' | 'pending' | 'quarantined';
  /** Null while there is no verdict: neither pass, fail nor inconclusive. */
  readonly outcome: FullVerdict['outcome'] | null;
  readonly settledAt: Date | null;
};

/** One shape for a verdict and for a pending verification. */
function asFlat(verdict: FullVerdict | PendingVerdict): Flat {
  if (verdict.state === 'settled') return verdict;
  return {
    id: verdict.id,
    kind: verdict.kind,
    verifier: verdict.verifier,
    state: verdict.state,
    outcome: null,
    verdict: null,
    score: null,
    model: null,
    excerpt: '',
    unsourced: null,
    figures: null,
    subjectKind: verdict.subjectKind,
    turnId: verdict.turnId,
    sessionId: null,
    createdAt: verdict.createdAt,
    settledAt: null,
    subjectId: verdict.subjectId,
    traceId: null,
    clientId: null,
    action: 'none',
    confidence: null,
    needsHumanReview: false,
    superseded: false,
    scores: [],
    issues: [],
    feedback: null,
    threshold: null,
    missionId: null,
    taskId: null,
    experimentId: verdict.experimentId,
    retries: null,
    judging: unjudged,
    detail: null,
    decision: { state: verdict.state, reason: verdict.reason },
    ruled: null,
    rulings: [],
    integrity: null,
  };
}
