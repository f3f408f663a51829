import type { z } from 'zod';
import type { Complexity, PromptText, TurnContent } from '../domain';
import type { ReplacedJudge } from '../evaluators/judges';
import type { EffectiveThresholds } from '../thresholds';
import type { ConfigField } from './config-field';
import type { CodeView } from './code/page';
import type { ContentView } from './content-view';
import type { KindView } from './kind-view';
import type { CheckpointView } from './pages';
import type { PlanNode, VerdictDecision, Walk } from './plan-node';
import type { Perturbations } from './perturbing';
import type { Rederive } from './rederive';
import type { Readings } from './subjects/reading';

/**
 * Why judges are not asked although the plan has a place for them; a verdict still comes of what
 * was measured.
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
  /** As stored: read it by the kind's own schema, strictly. */
  readonly detail: unknown;
  readonly createdAt: Date;
}

/** Settings of the project that kinds of code go by (api.md, `PUT /v1/settings`). */
export interface CodeSettings {
  /** What gates that could not tell do to the score (QEL-29). */
  readonly neutralProof: 'literal' | 'rescale';
  /** Whether a model may be asked for bonus points (QEL-49). */
  readonly semanticJudge: boolean;
}

/**
 * What one run of a kind that may ask models goes by. Made when the run begins and kept to its end:
 * an edit changes the next run.
 */
export interface RunSetting<Config> {
  readonly config: Config;
  readonly thresholds: EffectiveThresholds;
  /** Of the caller's own retries (VS-29); no other budget counts here. */
  readonly retries: { readonly used: number; readonly budget: number };
  /** By slug; all that `promptSlugs` names. */
  readonly prompts: ReadonlyMap<string, PromptText>;
  /**
   * Model specs of those who judge, each alone in its seat: one, or a jury of two or three. Empty
   * where no one can be asked: see `whyNone`.
   */
  readonly judges: readonly string[];
  /**
   * Whom to ask where the one judge cannot be; none behind a jury, or behind a judge that the
   * caller named.
   */
  readonly fallbackJudges: readonly string[];
  /** The one judge is the model that did the work; left out where it is not. */
  readonly selfJudged?: boolean;
  /** Why `judges` is empty: such a verdict is inconclusive. */
  readonly whyNone: string | null;
  /** Judges are not to be asked at all. */
  readonly notJudged: NotJudged | null;
  /**
   * What an earlier run with the same `cacheKey` left to keep, or null (VS-43). It is read
   * strictly.
   */
  readonly kept: unknown;
  /** Newest first, at most 50; empty where the call names no session. */
  readonly session: readonly EarlierVerdict[];
  readonly project: CodeSettings;
}

/** What asking has cost; the engine adds what it is a share of. */
export interface Asked {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars, of the calls whose price is known. */
  readonly costUsd: number;
  /** The price of some call is not known: `costUsd` is the least that asking can have cost. */
  readonly priceUnknown: boolean;
  /** Who judged, or was asked in vain; null where no one was. */
  readonly model: string | null;
  /**
   * How long a provider wants to be left alone, where that is why there is no verdict; null
   * otherwise.
   */
  readonly retryAfterMs: number | null;
  /** Judges that gave nothing and that another one answered for; left out where none did. */
  readonly replaced?: readonly ReplacedJudge[];
}

export interface JudgedDecision<Detail> extends VerdictDecision<Detail> {
  readonly asked: Asked;
  /** Models were asked before, and the subject records what they said. */
  readonly isRecorded?: true;
  /**
   * What it rests on in addition to the thresholds, as JSON of a few hundred bytes (`rederive`);
   * left out by kinds that compare nothing.
   */
  readonly basis?: unknown;
  /**
   * JSON to keep under the subject's cache key; null: nothing, as for what is inconclusive (VS-43).
   */
  readonly keep: unknown;
  /** Why there was nothing to verify: the outcome is `skipped`, and the verdict null. */
  readonly skipped?: string | null;
}

/** What a verification that a subject names has come to; both null while it has no verdict. */
export interface NamedVerification {
  /** 0..1. */
  readonly score: number | null;
  /** What counts: a person's ruling, else the verifier's own. */
  readonly verdict: string | null;
}

/**
 * Whether the model that did the work may judge it: never; by design, where it can be asked;
 * where no one else can be; or as any other, since whoever judges is no one's concern. What it then
 * judges is marked `self`.
 */
export type SelfJudging = 'never' | 'preferred' | 'last_resort' | 'anyone';

/**
 * One request on its way through decomposition, agents and synthesis, as a checkpoint tells of it.
 */
export interface PipelineFacts {
  /** What was asked for; null where the kind does not hold it. */
  readonly query: string | null;
  readonly complexity: Complexity | null;
}

/** A kind whose subject names verifications of the same project. */
export interface References<Subject> {
  of(subject: Subject): readonly { readonly id: string; readonly path: string }[];
  /** The subject with what they came to. */
  fill(subject: Subject, found: ReadonlyMap<string, NamedVerification>): Subject;
}

/** What a stored turn holds for a kind that reads turns in place. */
export type TurnRead<Subject> =
  | { readonly state: 'read'; readonly subject: Subject }
  /** Nothing to verify, and no verdict: the reason is a code. */
  | { readonly state: 'no_subject'; readonly reason: string }
  /** A verdict that says why nothing was verified. */
  | {
      readonly state: 'skipped';
      readonly decision: { readonly state: string; readonly reason: string };
      readonly detail: unknown;
    };

export interface TurnReadContext<Config> {
  readonly config: Config;
  /** Who switched the verifier off; null: it is on. */
  readonly offBy: 'environment' | 'project' | null;
  /** A caller handed the turn over, or its answer was delivered with the verdict. */
  readonly isHandedOver: boolean;
}

/** For a kind that reads stored turns in place, rather than a subject of its own. */
export interface TurnReader<Subject, Config> {
  read(turn: TurnContent, context: TurnReadContext<Config>): TurnRead<Subject>;
}

/** What integrity counts in a verdict of its own. */
export interface FigureCounts {
  /** No envelope was sent: the text was scanned. */
  readonly fallback: boolean;
  readonly figures: number;
  readonly unsourced: number;
  readonly reprompt: boolean;
}

/** The contract of every verifier kind: a config, subjects, a plan, and a pure verdict rule. */
export interface Kind<Subject, Config, Detail> extends KindView {
  /** What its stored subjects are called, where that is not the kind's name. */
  readonly storedAs?: string;
  readonly config: z.ZodType<Config>;
  /** Each member of the config. */
  readonly fields: readonly ConfigField[];
  /**
   * The kind's own members of the request body. What it gives is stored as JSON, and read again by
   * it.
   */
  readonly subject: z.ZodType<Subject>;
  /** How it reads what arrives, by target, where no mapping says otherwise. */
  readonly readings: Readings<Subject>;
  readonly fromTurn?: TurnReader<Subject, Config>;
  readonly references?: References<Subject>;
  /**
   * Key of the threshold that decides, and under which the call's own one stands; `pass_threshold`
   * where this is not given.
   */
  thresholdKey?(subject: Subject, config: Config): string;
  /** What a call's own threshold may be; 0..1 where this is not given. */
  readonly thresholdRange?: { readonly low: number; readonly high: number };
  /** Whether a run looks back on earlier verdicts of its session. */
  readonly readsSession?: boolean;
  /** `never` where this is not given. */
  selfJudging?(subject: Subject): SelfJudging;
  /**
   * Retries that are the kind's own; those of the project's tasks where this is not given.
   */
  retryBudget?(config: Config): number;
  /**
   * Judging is not held against what the work cost: a checkpoint is cheap compared with what comes
   * after it, not next to what it judges (SOAR-2).
   */
  readonly unbudgeted?: true;
  /** For the checkpoints of a pipeline, which are shown together. */
  pipelineOf?(subject: Subject): PipelineFacts;
  /** The model that did the work, where the kind's own members name it. */
  modelOf?(subject: Subject): string | null;
  /** One line of it, for lists. */
  excerptOf(subject: Subject): string;
  /** One judge is asked, and its fallbacks: a jury is not. */
  readonly asksOne?: true;
  /** Slugs of the prompts that a run may use; empty where it asks no model. */
  promptSlugs(subject: Subject, config: Config): readonly string[];
  /** Tokens of all questions to one judge, before they are asked. */
  estimate(
    subject: Subject,
    setting: RunSetting<Config>,
  ): { readonly inputTokens: number; readonly outputTokens: number };
  /**
   * Equal for what a judge would be asked alike and decided alike; null where nothing may be kept.
   */
  cacheKey(subject: Subject, setting: RunSetting<Config>): string | null;
  /**
   * Nodes that ask a model have a price of 100 or more; where no one is to be asked they cost
   * nothing and say why.
   */
  plan(subject: Subject, setting: RunSetting<Config>): readonly PlanNode[];
  /** How probes change its subjects; left out where no judge could be led astray by it. */
  readonly perturb?: Perturbations<Subject, Config>;
  /**
   * Reads a stored basis and makes the decision of it, under any thresholds; under those in force
   * `decide` says the same. Null for a basis that this release cannot read; left out by kinds that
   * compare nothing.
   */
  readonly rederive?: (basis: unknown) => Rederive | null;
  /**
   * The same detail without orders, for a verifier that may advise and not block (calibration.md
   * 5.11); left out where it holds none. Pure.
   */
  advisory?(detail: Detail): Detail;
  /**
   * The same detail where a person is to review the verdict for a reason outside the kind; left out
   * where it has no status. Pure.
   */
  awaiting?(detail: Detail): Detail;
  /** How pages show its subject; null for content that cannot be read so. */
  showContent?(subject: unknown): ContentView | null;
  /** The same with the verdict's detail, for a page of its own. */
  showCode?(content: string, detail: unknown): CodeView | null;
  showCheckpoint?(content: string, detail: unknown): CheckpointView | null;
  /** Null for a verdict without figures to count; left out by kinds that count none. */
  figuresOf?(detail: Detail): FigureCounts | null;
  /** Pure: the same walk, subject and setting give the same decision. */
  decide(walk: Walk, subject: Subject, setting: RunSetting<Config>): JudgedDecision<Detail>;
}
