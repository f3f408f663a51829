import { z } from 'zod';
import { intakeLimits, Outcome, plainName } from '../domain';
import { ConfigBody } from '../catalog/input';
import { MaskingSettings } from '../masking/input';

const Slug = z.string().min(2).max(40);
const Text = z.string().max(300);

/**
 * Integrity's findings on answers, as the overview counts them: verified, scanned without an
 * envelope, with figures, with unsourced ones, sent back with a corrective message, and corrected
 * by it.
 */
export const FiguresFound = z.enum([
  'looked_at',
  'scanned',
  'figures',
  'unsourced',
  'sent_back',
  'helped',
]);
export type FiguresFound = z.infer<typeof FiguresFound>;

/**
 * Filters of the verdict list, identical in the console's URL and in the HTTP API. An empty model
 * selects verdicts that name none.
 */
export const VerdictFilters = z.strictObject({
  outcome: z.array(Outcome).max(6).optional(),
  verifier: Text.optional(),
  model: Text.optional(),
  session: Text.optional(),
  turn: Text.optional(),
  trace: Text.optional(),
  subject: Text.optional(),
  mission: Text.optional(),
  task: Text.optional(),
  /** Verdicts on work of traces with this tag. */
  tag: Text.optional(),
  /** Verdicts that this version of a prompt scored: `review@3`. */
  prompt: Text.optional(),
  /** Without it, verdicts of experiments are listed only for a turn or a subject. */
  experiment: Text.optional(),
  kind: Text.optional(),
  text: Text.optional(),
  figures: FiguresFound.optional(),
  from: z.date().optional(),
  to: z.date().optional(),
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
});
export type VerdictFilters = z.infer<typeof VerdictFilters>;

export const ListVerdictsIn = VerdictFilters.extend({ project: Slug });
export const GetVerdictIn = z.strictObject({ project: Slug, id: z.string().min(1).max(200) });
export const GetVerifierIn = z.strictObject({ project: Slug, slug: z.string().min(1).max(100) });
export const OverviewIn = z.strictObject({
  project: Slug,
  days: z.union([z.literal(1), z.literal(7), z.literal(30)]),
});
export const HideSetupIn = z.strictObject({ project: Slug, hidden: z.boolean() });
/** Scores are comparable only within one verifier. */
export const ModelScoresIn = z.strictObject({
  project: Slug,
  verifier: z.string().min(1).max(100),
});
export const ReplayIn = z.strictObject({
  project: Slug,
  subjectId: z.string().min(1).max(200),
  verifier: z.string().min(1).max(100),
});

/**
 * Filters of the pipeline list: the final reported outcome, and the latest result of any
 * checkpoint.
 */
export const PipelineFilters = z.strictObject({
  outcome: z.enum(['succeeded', 'failed', 'unknown']).optional(),
  verdict: z.enum(['PASS', 'RETRY', 'FAIL']).optional(),
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(100).optional(),
});
export type PipelineFilters = z.infer<typeof PipelineFilters>;
export const ListPipelinesIn = PipelineFilters.extend({ project: Slug });
export const GetPipelineIn = z.strictObject({ project: Slug, id: z.string().min(1).max(300) });

export const PutVerifierIn = GetVerifierIn.extend(ConfigBody.shape);
/** The kind of the definition checks all of it. */
export const DefineVerifierIn = GetVerifierIn.extend({
  definition: z.looseObject({ kind: z.string() }),
});

/** A model spec such as `provider:model?temperature=0.3`. */
export const JudgeSpec = z
  .string()
  .regex(
    /^[A-Za-z0-9@][\w.:@+/-]{0,199}(?:\?[\w.=&-]{1,200})?$/,
    'must be a model written as provider:model, with parameters after a question mark',
  );

/** A project's judging settings; an omitted member is unchanged. */
export const JudgeSettings = z.strictObject({
  /** Null means the cheapest model of a different family than the model that did the work. */
  defaultJudge: JudgeSpec.nullable().optional(),
  /** The judges in addition to the default judge; if empty, the default judge judges alone. */
  jury: z.array(JudgeSpec).max(2).optional(),
  bypassBelowUsd: z.number().min(0).max(1_000_000).optional(),
  costBudgetShare: z.number().min(0).max(10).optional(),
  /**
   * QEL-29: inconclusive gates score no points (`literal`), or are omitted of the sum (`rescale`).
   */
  neutralProof: z.enum(['literal', 'rescale']).optional(),
  /** QEL-49: a model may be called for bonus points on code. */
  semanticJudge: z.boolean().optional(),
  retries: z.number().int().min(0).max(5).optional(),
  /** A session or mission that receives no turn for this long is verified as is. */
  sessionIdleSeconds: z
    .number()
    .int()
    .min(1)
    .max(7 * 24 * 60 * 60)
    .optional(),
  /**
   * `require`: a new prompt or judge needs a trial that it did not lose, and another person's
   * approval. `advise`: it only must not have lost a trial.
   */
  promotionGate: z.enum(['advise', 'require']).optional(),
});
export type JudgeSettings = z.infer<typeof JudgeSettings>;

/**
 * Settings of one mission (VS-33, VS-45): null removes the mission's own value, an omitted member
 * is unchanged.
 */
export const MissionSettingsBody = z.strictObject({
  /** Replaces the project's default judge. */
  judge: JudgeSpec.nullable().optional(),
  /**
   * The cost of work and judging, in US dollars, above which a person reviews every further
   * verdict.
   */
  review_above_usd: z.number().min(0).max(1_000_000).nullable().optional(),
  reason: z.string().max(1000).nullable().optional(),
});
export type MissionSettingsBody = z.infer<typeof MissionSettingsBody>;
/** The rule for mission ids in every verify call. */
export const MissionId = plainName(intakeLimits.idChars);
export const GetMissionIn = z.strictObject({ project: Slug, mission: MissionId });
export const PutMissionSettingsIn = GetMissionIn.extend({ body: MissionSettingsBody });

/** The project settings that people may change. */
export const ProjectSettings = JudgeSettings.extend({
  integrityEnabled: z.boolean().optional(),
  allowUserFigures: z.boolean().optional(),
  derivedCountsAsSourced: z.boolean().optional(),
  /** Null turns masking off. */
  masking: MaskingSettings.optional(),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;
export const UpdateSettingsIn = ProjectSettings.extend({ project: Slug });

/** The facts about the work in a verify call, the same for all kinds (api.md, Verify). */
export const WorkFacts = z.object({
  /**
   * The model that did the work; if omitted, it is unknown whether the judge is a different model
   * (VS-37).
   */
  executor_model: plainName(300).nullish(),
  /** The judge that the caller chose. */
  verifier_model: plainName(500).nullish(),
  /** `pass_threshold` for this verdict only. */
  threshold: z.number().nullish(),
  retries_used: z.number().int().min(0).max(1_000).default(0),
  /** The cost of the work, in US dollars. */
  cost_usd: z.number().min(0).max(1_000_000_000).nullish(),
  /** Other work waits for this verdict (VS-31). */
  has_dependents: z.boolean().default(false),
  /** The caller's own metadata; stored with the subject, without effect. */
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
export type WorkFacts = z.infer<typeof WorkFacts>;

/** Global search for an id or the beginning of one, or for part of a name or text. */
export const FindIn = z.strictObject({
  project: Slug,
  q: plainName(200).trim().min(2, 'is too short: write two characters'),
});
