import type { z } from 'zod';
import type { Complexity, PromptText, TurnContent } from '../domain';
import type { ReplacedJudge } from '../evaluators/judges';
import type { EffectiveThresholds } from '../thresholds';
import type { ConfigField } from './config-field';
import type { CodeView } from './code/page';
import type { ContentView } from './content-view';
import type { KindView } from './kind-view';
import type { CustomKind } from './custom/contract';
import type { CheckpointView } from './pages';
import type { PlanNode, VerdictDecision, Walk } from './plan-node';
import type { Perturbations } from './perturbing';
import type { Rederive } from './rederive';
import type { Readings } from './subjects/reading';

/**
 * Why judges are not called although the plan has nodes for them; the other scores still result in
 * a verdict.
 */
export interface NotJudged {
  readonly state: 'bypassed' | 'over_budget' | 'sampled_out';
  readonly reason: string;
}

/** An earlier verdict of the same project, kind and session. */
export interface EarlierVerdict {
  readonly verdict: string | null;
  /** Native scale of the kind. */
  readonly score: number | null;
  /** As stored: to be parsed strictly by the kind's own schema. */
  readonly detail: unknown;
  readonly createdAt: Date;
}

/** Project settings for kinds that verify code (api.md, `PUT /v1/settings`). */
export interface CodeSettings {
  /** The effect on the score of gates without a result (QEL-29). */
  readonly neutralProof: 'literal' | 'rescale';
  /** Whether a model may be called for bonus points (QEL-49). */
  readonly semanticJudge: boolean;
}

/** Labelled work of the same verifier, to show to a judge as an example. */
export interface LabelledExample {
  /** As stored: to be parsed by the kind's own schema. */
  readonly subject: unknown;
  /** Whether the work is good, according to its labels. */
  readonly passes: boolean;
  /** The reason that a person entered; null if there is none. */
  readonly reason: string | null;
}

/** The judges that a definition names, which replace those of the project. */
export interface NamedJudges {
  /** Null means the first of the jury, otherwise the project's default judge. */
  readonly model: string | null;
  /** In this order, if the model cannot be called. */
  readonly fallbacks: readonly string[];
  /** Judges in addition to the model. */
  readonly jury: readonly string[];
}

/**
 * The settings of one run of a kind that may call models. Fixed when the run begins: an edit
 * changes the next run.
 */
export interface RunSetting<Config> {
  readonly config: Config;
  readonly thresholds: EffectiveThresholds;
  /** The caller's retries (VS-29); no other retry budget applies here. */
  readonly retries: { readonly used: number; readonly budget: number };
  /** By slug: every prompt that `promptSlugs` returns. */
  readonly prompts: ReadonlyMap<string, PromptText>;
  /**
   * Model specs of the judges, which judge independently: one, or a jury of two or three. Empty if
   * none can be called: see `whyNone`.
   */
  readonly judges: readonly string[];
  /**
   * Models to call if the single judge cannot be called; none for a jury, or for a judge that the
   * caller named.
   */
  readonly fallbackJudges: readonly string[];
  /** The single judge is the model that did the work; omitted otherwise. */
  readonly selfJudged?: boolean;
  /** Why `judges` is empty, in which case the verdict is inconclusive; null if it is not. */
  readonly whyNone: string | null;
  /** Judges are not to be called at all. */
  readonly notJudged: NotJudged | null;
  /**
   * The value that an earlier run with the same `cacheKey` cached, or null (VS-43). To be parsed
   * strictly.
   */
  readonly cached: unknown;
  /**
   * Labelled examples for the judge, at most as many as `examplesOf` returns; none of the held-out
   * part, and none like the subject. Omitted for kinds without examples.
   */
  readonly examples?: readonly LabelledExample[];
  /** Newest first, at most 50; empty if the call names no session. */
  readonly session: readonly EarlierVerdict[];
  readonly project: CodeSettings;
}

/** The cost of judge calls; the engine adds its share of the cost of the work. */
export interface JudgeCost {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars, of the calls with a known price. */
  readonly costUsd: number;
  /** The price of at least one call is unknown, so `costUsd` is a lower bound. */
  readonly priceUnknown: boolean;
  /** The models that judged, or failed to; null if none was called. */
  readonly model: string | null;
  /**
   * The pause that the provider requested, if it caused the missing verdict; null otherwise.
   */
  readonly retryAfterMs: number | null;
  /** Judges that failed and were replaced by another one; omitted if there were none. */
  readonly replaced?: readonly ReplacedJudge[];
}

export interface JudgedDecision<Detail> extends VerdictDecision<Detail> {
  readonly judgeCost: JudgeCost;
  /** Models were called earlier, and the subject records their answers. */
  readonly isRecorded?: true;
  /**
   * The decision's input other than the thresholds, as JSON of a few hundred bytes (`rederive`);
   * omitted by kinds without thresholds.
   */
  readonly basis?: unknown;
  /**
   * JSON to cache under the subject's cache key; null if nothing is cached, as for an inconclusive
   * result (VS-43).
   */
  readonly toCache: unknown;
  /** The reason why nothing was verified: the outcome is `skipped`, and the verdict null. */
  readonly skipped?: string | null;
}

/**
 * The result of a verification that a subject refers to; both members are null while it has no
 * verdict.
 */
export interface NamedVerification {
  /** 0..1. */
  readonly score: number | null;
  /** The effective verdict: a person's ruling, else the verifier's own. */
  readonly verdict: string | null;
}

/**
 * Whether the model that did the work may judge it: never; by preference, if it can be
 * called; only if no other model can be called; or without restriction. Such a verdict is marked
 * `self`.
 */
export type SelfJudging = 'never' | 'preferred' | 'last_resort' | 'anyone';

/** One request through decomposition, agents and synthesis, as a checkpoint reports it. */
export interface PipelineFacts {
  /** The request; null if the kind does not record it. */
  readonly query: string | null;
  readonly complexity: Complexity | null;
}

/** A kind whose subject names verifications of the same project. */
export interface References<Subject> {
  of(subject: Subject): readonly { readonly id: string; readonly path: string }[];
  /** The subject with their results filled in. */
  fill(subject: Subject, found: ReadonlyMap<string, NamedVerification>): Subject;
}

/** The result of reading a stored turn, for a kind that reads turns in place. */
export type TurnRead<Subject> =
  | { readonly state: 'read'; readonly subject: Subject }
  /** Nothing to verify, and no verdict: the reason is a code. */
  | { readonly state: 'no_subject'; readonly reason: string }
  /** A verdict with the reason why nothing was verified. */
  | {
      readonly state: 'skipped';
      readonly decision: { readonly state: string; readonly reason: string };
      readonly detail: unknown;
    };

export interface TurnReadContext<Config> {
  readonly config: Config;
  /** Where the verifier was disabled; null if it is enabled. */
  readonly disabledBy: 'environment' | 'project' | null;
  /** A caller submitted the turn for verification, or its answer was delivered with the verdict. */
  readonly isHandedOver: boolean;
}

/** For a kind that reads stored turns in place instead of a separate subject. */
export interface TurnReader<Subject, Config> {
  read(turn: TurnContent, context: TurnReadContext<Config>): TurnRead<Subject>;
}

/** The counters that integrity reports for a verdict. */
export interface FigureCounts {
  /** No envelope was sent, so the text was scanned. */
  readonly fallback: boolean;
  readonly figures: number;
  readonly unsourced: number;
  readonly reprompt: boolean;
}

/** `own`: a run starts its own sandboxes. `shared`: its sandbox also runs other subjects. */
export type SandboxUse = 'own' | 'shared';

/** The contract of every verifier kind: a config, subjects, a plan, and a pure verdict rule. */
export interface Kind<Subject, Config, Detail> extends KindView {
  /** How projects define their own verifiers of the kind; omitted by built-in verifiers. */
  readonly custom?: CustomKind;
  /** The stored name of its subjects, if it differs from the kind's name. */
  readonly storedAs?: string;
  readonly config: z.ZodType<Config>;
  /** One field per member of the config. */
  readonly fields: readonly ConfigField[];
  /**
   * Parses the kind-specific members of the request body. The result is stored as JSON, and parsed
   * again by the same schema.
   */
  readonly subject: z.ZodType<Subject>;
  /** How arriving data is read by default, by target, if there is no mapping. */
  readonly readings: Readings<Subject>;
  readonly fromTurn?: TurnReader<Subject, Config>;
  readonly references?: References<Subject>;
  /**
   * Key of the deciding threshold, which a threshold in the call overrides; defaults to
   * `pass_threshold`.
   */
  thresholdKey?(subject: Subject, config: Config): string;
  /** The valid range of a threshold in a call; defaults to 0..1. */
  readonly thresholdRange?: { readonly low: number; readonly high: number };
  /** Whether a run reads earlier verdicts of its session. */
  readonly readsSession?: boolean;
  /** Defaults to `never`. */
  selfJudging?(subject: Subject): SelfJudging;
  /** The retry budget of this kind; defaults to the project's budget for tasks. */
  retryBudget?(config: Config): number;
  /**
   * The cost of judging is not limited by the cost of the work: a checkpoint is cheap compared with
   * the work that follows it, not with the work that it judges (SOAR-2).
   */
  readonly unbudgeted?: true;
  /** For pipeline checkpoints, which are shown together. */
  pipelineOf?(subject: Subject): PipelineFacts;
  /** The model that did the work, if a kind-specific member names it. */
  modelOf?(subject: Subject): string | null;
  /** A one-line summary, for lists. */
  excerptOf(subject: Subject): string;
  /** How a run uses sandboxes; omitted by kinds that use none. */
  readonly sandbox?: SandboxUse;
  /** Almost every verdict needs a model, so that it is not worth trying without one first. */
  readonly needsModel?: true;
  /** Only one judge and its fallbacks are called, never a jury. */
  readonly callsOneJudge?: true;
  /** The judges that the config names; null or omitted: those of the project. */
  judgesOf?(config: Config): NamedJudges | null;
  /** The number of labelled examples in the config; omitted by kinds without examples. */
  examplesOf?(config: Config): number;
  /** Slugs of the prompts that a run may use; empty if the run calls no model. */
  promptSlugs(subject: Subject, config: Config): readonly string[];
  /** Estimated tokens of all calls to one judge. */
  estimate(
    subject: Subject,
    setting: RunSetting<Config>,
  ): { readonly inputTokens: number; readonly outputTokens: number };
  /**
   * Equal for subjects with the same judge input and the same decision; null if nothing may be
   * cached.
   */
  cacheKey(subject: Subject, setting: RunSetting<Config>): string | null;
  /**
   * Nodes that call a model cost 100 or more; if no judge is to be called, they cost nothing and
   * report the reason.
   */
  plan(subject: Subject, setting: RunSetting<Config>): readonly PlanNode[];
  /** How probes change subjects of this kind; omitted if its subjects cannot mislead a judge. */
  readonly perturb?: Perturbations<Subject, Config>;
  /**
   * Parses a stored basis and decides it under any thresholds; under the current ones it agrees
   * with `decide`. Null for a basis that this release cannot read; omitted by kinds without
   * thresholds.
   */
  readonly rederive?: (basis: unknown) => Rederive | null;
  /**
   * The detail without instructions, for a verifier that may only advise (calibration.md 5.11);
   * omitted if the detail has none. Pure.
   */
  advisory?(detail: Detail): Detail;
  /**
   * The detail when a person must review the verdict for a reason outside the kind; omitted if the
   * detail has no status. Pure.
   */
  awaiting?(detail: Detail): Detail;
  /** Renders its subject for pages; null for content that cannot be read. */
  showContent?(subject: unknown): ContentView | null;
  /** Renders the subject with the verdict's detail, for the page of the kind. */
  showCode?(content: string, detail: unknown): CodeView | null;
  showCheckpoint?(content: string, detail: unknown): CheckpointView | null;
  /** Null for a verdict without figures to count; omitted by kinds that count none. */
  figuresOf?(detail: Detail): FigureCounts | null;
  /** Pure: the same walk, subject and setting yield the same decision. */
  decide(walk: Walk, subject: Subject, setting: RunSetting<Config>): JudgedDecision<Detail>;
}
