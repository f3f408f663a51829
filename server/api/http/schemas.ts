import { z } from '@hono/zod-openapi';
import { GateWord } from '../../experiments/input';
import { MaskingSettings } from '../../masking/input';
import { JudgeSettings } from '../../verdicts/input';
import {
  Action,
  IntegrityDetail,
  intakeLimits,
  Issue,
  Outcome,
  plainName,
  Score,
  WireTurn,
} from '../../domain';

const Id = plainName(intakeLimits.idChars);

/** The shapes in the API's description; bodies are validated by these same schemas. */
export const ErrorBody = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.array(z.object({ path: z.string(), message: z.string() })),
      request_id: z.string(),
    }),
  })
  .openapi('Error');

export const TurnsBody = z.object({ turns: z.array(WireTurn) }).openapi('Turns');

export const TurnsReply = z
  .object({
    accepted: z.number().int(),
    duplicates: z.number().int(),
    conflicts: z.number().int(),
    rejected: z.array(z.object({ index: z.number().int(), code: z.string(), message: z.string() })),
  })
  .openapi('TurnsTaken');

/** The answer of Langfuse's ingestion API: each event of the batch is in one of the lists. */
export const LangfuseReply = z
  .object({
    successes: z.array(z.object({ id: z.string(), status: z.number().int() })),
    errors: z.array(z.object({ id: z.string(), status: z.number().int(), message: z.string() })),
  })
  .openapi('LangfuseBatchTaken');

/** Members that every verify call accepts in addition to its subject (api.md, Verify). */
export const VerifyOptions = z.object({
  mode: z.enum(['sync', 'async']).default('sync'),
  wait_ms: z.number().int().min(0).max(120_000).default(30_000),
  verifier: z.string().max(100).optional(),
  /**
   * Used by kinds that have one; integrity decides by counting, and detects its one retry by
   * `reprompt_used`.
   */
  threshold: z.number().nullish(),
  retries_used: z.number().int().min(0).max(1_000).optional(),
  mission_id: Id.nullish(),
  task_id: Id.nullish(),
});

export const VerifyIntegrityBody = z
  .intersection(VerifyOptions.partial(), WireTurn)
  .openapi('VerifyIntegrity');

export const Verification = z
  .object({
    id: z.string(),
    kind: z.string(),
    verifier: z.string(),
    state: z.enum(['settled', 'pending', 'quarantined']),
    outcome: Outcome.nullable(),
    verdict: z.string().nullable(),
    action: Action,
    score: z.number().nullable(),
    confidence: z.number().nullable(),
    needs_human_review: z.boolean(),
    /** The verifier gave a verdict on a later revision of the subject. */
    superseded: z.boolean(),
    scores: z.array(Score),
    issues: z.array(Issue),
    feedback: z.string().nullable(),
    decision: z.object({ state: z.string(), reason: z.string().nullable() }),
    subject_id: z.string(),
    turn_id: z.string().nullable(),
    /** The experiment whose output was verified; null for live work. */
    experiment_id: z.string().nullable(),
    model: z.string().nullable(),
    /** The latest override that was not undone, else the verifier's own verdict. */
    effective_verdict: z.string().nullable(),
    /** The latest action that a person recorded and did not undo, else the verifier's own. */
    effective_action: Action,
    /** Accepted with a warning, for work that depends on it. */
    low_confidence: z.boolean(),
    overrides: z.array(
      z.object({
        id: z.string(),
        verdict: z.string().nullable(),
        reason: z.string().nullable(),
        grade: z.number().int().nullable(),
        action: z.string().nullable(),
        rater: z.string(),
        created_at: z.string(),
        undone: z.boolean(),
      }),
    ),
    created_at: z.string(),
    settled_at: z.string().nullable(),
    url: z.string(),
    integrity: IntegrityDetail.nullable().optional(),
  })
  .openapi('Verification');

const Time = z.iso.datetime({ offset: true }).transform((time) => new Date(time));

export const VerificationsQuery = z.object({
  /** `pending` lists verifications without a verdict instead of verdicts. */
  state: z.enum(['settled', 'pending']).default('settled'),
  kind: z.string().max(100).optional(),
  outcome: Outcome.optional(),
  verifier: z.string().max(100).optional(),
  model: z.string().max(300).optional(),
  session_id: z.string().max(200).optional(),
  turn_id: z.string().max(200).optional(),
  trace_id: z.string().max(200).optional(),
  subject_id: z.string().max(200).optional(),
  mission_id: z.string().max(200).optional(),
  task_id: z.string().max(200).optional(),
  tag: z.string().max(300).optional(),
  prompt_version: z.string().max(300).optional(),
  /** Only verdicts on outputs of this experiment, which are otherwise excluded. */
  experiment: z.string().max(200).optional(),
  from: Time.optional(),
  to: Time.optional(),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const VerificationsReply = z
  .object({ data: z.array(Verification), next_cursor: z.string().nullable() })
  .openapi('Verifications');

/** The settings of this release; an unknown one is refused by name, never ignored. */
export const SettingsBody = z
  .strictObject({
    integrity_enabled: z.boolean().optional(),
    allow_user_figures: z.boolean().optional(),
    derived_counts_as_sourced: z.boolean().optional(),
    default_judge: JudgeSettings.shape.defaultJudge,
    jury: JudgeSettings.shape.jury,
    bypass_below_usd: JudgeSettings.shape.bypassBelowUsd,
    cost_budget_share: JudgeSettings.shape.costBudgetShare,
    retries: JudgeSettings.shape.retries,
    session_idle_seconds: JudgeSettings.shape.sessionIdleSeconds,
    neutral_proof: JudgeSettings.shape.neutralProof,
    semantic_judge: JudgeSettings.shape.semanticJudge,
    promotion_gate: JudgeSettings.shape.promotionGate,
    masking: MaskingSettings.optional(),
    /** Accepts another judge although a trial found it worse, with the reason. */
    force: GateWord.shape.force,
    reason: GateWord.shape.reason,
  })
  .openapi('Settings');

export const SettingsReply = z
  .object({
    integrity_enabled: z.boolean(),
    integrity_off_by: z.enum(['environment', 'project']).nullable(),
    allow_user_figures: z.boolean(),
    derived_counts_as_sourced: z.boolean(),
    default_judge: z.string().nullable(),
    jury: z.array(z.string()),
    bypass_below_usd: z.number(),
    cost_budget_share: z.number(),
    retries: z.number().int(),
    session_idle_seconds: z.number().int(),
    neutral_proof: z.enum(['literal', 'rescale']),
    semantic_judge: z.boolean(),
    promotion_gate: z.enum(['advise', 'require']),
    /** The values to replace in input before it is stored; null if masking is off. */
    masking: MaskingSettings,
    /** A new judge that awaits another person's approval; omitted if there is none. */
    waiting_promotion: z.string().optional(),
  })
  .openapi('SettingsReply');
