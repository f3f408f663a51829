import { type CrossModel, loadModels } from '../llm';
import type { Ctx } from '../platform';
import { type PromptDefaults, resolvePrompt } from '../prompts';
import type { ClaimedWork } from '../queue';
import {
  type Asked,
  type OpinionSetting,
  type TurnKind,
  type TurnOpinion,
  undecidedOverBudget,
  type VerdictDecision,
  type Walk,
  walkPlan,
} from '../verifiers';
import type { ProjectVerifier } from './settings';
import { parkedFor, slowPrice } from './subjects/decide-subject';
import { loadJudging } from './subjects/judging';
import { chooseFor, type JudgeNotice, noticesOf, seatsOf } from './subjects/run-setting';
import type { SubjectDeps } from './subjects/verify-subjects';

/** The dependencies for calling a judge. */
export type JudgeReach = Pick<SubjectDeps, 'prompts' | 'askFor'>;

/**
 * Why there is no verdict yet: a judge must be called (`slow`), or called later because it is down
 * (`blocked`, R-58).
 */
export type Unfinished =
  | { readonly state: 'slow' }
  | { readonly state: 'blocked'; readonly forMs: number; readonly reason: string };

interface Walked {
  readonly state: 'walked';
  readonly walk: Walk;
  readonly decided: VerdictDecision<unknown>;
  /** The cost of models; null if none took part in the verdict. */
  readonly taken: Asked | null;
  /** Null if the kind uses no second opinion. */
  readonly sitting: TurnJudges | null;
}

interface WalkTurn {
  readonly work: ClaimedWork;
  /** The model that wrote the answer. */
  readonly executor: string | null;
  readonly verifier: ProjectVerifier;
  readonly kind: TurnKind;
  readonly subject: unknown;
  /** Null in the fast lane: a judge is left to the slow one. */
  readonly judges: JudgeReach | null;
  readonly signal: AbortSignal;
}

/**
 * Walks the plan of a turn's kind, followed by a second opinion if the verifier is set to have one.
 */
export async function walkTurn(
  ctx: Ctx,
  { work, executor, verifier, kind, subject, judges, signal }: WalkTurn,
): Promise<Walked | Unfinished> {
  const { projectId } = work;
  const { config, slug } = verifier;
  const opinion = kind.opinion?.isOn(config) === true ? kind.opinion : null;
  const sitting =
    opinion === null
      ? null
      : await loadTurnJudges(
          ctx,
          opinion,
          { projectId, verifier: slug, executor },
          judges?.prompts ?? null,
        );
  const own = kind.kind.plan(subject, config);
  const plan =
    opinion === null || sitting === null
      ? own
      : [...own, opinion.node(subject, config, sitting.setting)];
  const ask = judges?.askFor({ projectId, verdictId: work.id });
  const context = {
    now: () => ctx.clock.monotonicMs(),
    signal,
    ...(ctx.budget && { budget: ctx.budget }),
    ...(ask && { ask }),
  };
  const walk = await walkPlan(plan, context, judges === null ? slowPrice : undefined);
  if (walk.left.length > 0) return { state: 'slow' };
  ctx.budget?.enter('the verdict rule');
  const byKind = kind.kind.decide(walk, subject, config);
  const decided = {
    ...(opinion?.decide(byKind, walk, config) ?? byKind),
    ...undecidedOverBudget(walk),
  };
  const taken = opinion?.asked(walk) ?? kind.recorded?.(subject) ?? null;
  const forMs =
    opinion !== null && decided.verdict === null
      ? parkedFor(ctx, work, taken?.retryAfterMs ?? null)
      : null;
  if (forMs !== null)
    return {
      state: 'blocked',
      forMs,
      reason: 'the judge of the second opinion cannot be asked now',
    };
  return { state: 'walked', walk, decided, taken, sitting };
}

/** The judges of a second opinion about a turn, and the verdict's notices about them. */
interface TurnJudges {
  readonly setting: OpinionSetting;
  readonly crossModel: CrossModel | null;
  readonly notices: readonly JudgeNotice[];
}

interface JudgedTurn {
  readonly projectId: string;
  /** The verifier's slug. */
  readonly verifier: string;
  /** The model that wrote the answer: it does not judge itself. */
  readonly executor: string | null;
}

/**
 * The project's judge as for work of other kinds, without its jury. `prompts` null: only checks
 * whether one could be called.
 */
async function loadTurnJudges(
  ctx: Ctx,
  { prompt: slug }: TurnOpinion,
  { projectId, verifier, executor }: JudgedTurn,
  prompts: PromptDefaults | null,
): Promise<TurnJudges> {
  const facts = { executor_model: executor, retries_used: 0, has_dependents: false };
  const [judging, { specs }] = await Promise.all([
    loadJudging(ctx, projectId, verifier),
    loadModels(ctx, projectId),
  ]);
  const choice = chooseFor(facts, judging, specs);
  const { judges, standIns } = seatsOf(choice, facts, { ...judging, jury: [] }, specs);
  return {
    setting: {
      judges: [...judges, ...standIns],
      whyNone: choice.state === 'chosen' ? null : choice.message,
      prompt: prompts === null ? null : (await resolvePrompt(ctx, prompts, projectId, slug)).prompt,
    },
    crossModel: choice.state === 'chosen' ? choice.crossModel : null,
    notices: noticesOf(choice, [], executor),
  };
}
