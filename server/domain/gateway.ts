import { z } from 'zod';

/**
 * The outcome that the gateway reports for one proxied call (api.md, Gateway: `x-assay-verdict`).
 */
export const GatewayVerdict = z.enum([
  'passed',
  'steered',
  'flagged',
  'unavailable',
  'not_verified',
]);
export type GatewayVerdict = z.infer<typeof GatewayVerdict>;

/** Why an answer was not verified (api.md, Gateway: `x-assay-reason`). */
export const GatewayReason = z.enum([
  'not_due',
  'tool_followup',
  'overflow',
  'empty_text',
  'circuit_open',
  'busy',
  'disabled',
  'error',
]);
export type GatewayReason = z.infer<typeof GatewayReason>;

/**
 * Model APIs that the gateway can read: OpenAI chat completions, OpenAI responses, Anthropic
 * messages, Google's generateContent, Ollama's chat, and embeddings of all providers.
 */
export const GatewayDialect = z.enum([
  'chat',
  'responses',
  'messages',
  'gemini',
  'ollama',
  'embeddings',
]);
export type GatewayDialect = z.infer<typeof GatewayDialect>;

const Count = z.number().int().min(0);
const Ms = z.number().min(0);

/** The result and cost of one judge call on an answer. */
export const JudgeCall = z.object({
  decision: z.enum(['pass', 'steer', 'verifier_failed']),
  /** The steering note; null unless the decision is `steer`. */
  note: z.string().nullable(),
  /** Why the verifier failed, in a few words; null if it did not. */
  problem: z.string().nullable(),
  /** The number of calls made: 1, or 2 with the format correction (QV-20). */
  calls: Count,
  /** The provider's name for the model. */
  model: z.string().nullable(),
  /** `slug@version`. */
  prompt_version: z.string().nullable(),
  input_tokens: Count,
  output_tokens: Count,
  /** Null if the price is unknown. */
  cost_usd: z.number().min(0).nullable(),
  latency_ms: Ms,
});
export type JudgeCall = z.infer<typeof JudgeCall>;

/**
 * The effect of a steering note: whether the answer was regenerated, and which answer was delivered
 * (QV-26, QV-28).
 */
export const SteeringRecord = z.object({
  /**
   * `applied`: the regenerated answer was delivered. `control`: the note was withheld on purpose,
   * to measure the effect of steering. `deferred`: the note is kept for the session's next request
   * (QV-31). `not_qualified`: the verifier is not trusted enough to steer, and the setting enforces
   * trust; `problem` names the missing requirement. In all states except `applied`, the original
   * answer was delivered.
   */
  state: z.enum([
    'applied',
    'control',
    'deferred',
    'recall_failed',
    'recall_empty',
    'no_context',
    'not_qualified',
  ]),
  /** Why the regeneration failed; null if it did not. */
  problem: z.string().nullable(),
  recall_ms: Ms.nullable(),
  recall_input_tokens: Count.nullable(),
  recall_output_tokens: Count.nullable(),
  recall_cost_usd: z.number().min(0).nullable(),
  /**
   * The answer that was not delivered: the original if the regenerated answer was delivered, and
   * vice versa; null if there is none.
   */
  other_answer: z.string().nullable(),
  /**
   * The verifier's recheck of the delivered answer (for a control, of the unchanged answer). Null
   * if there was none.
   */
  after: JudgeCall.nullable(),
  /** The number of figures without a source, before and after; null if integrity is off. */
  unsourced_before: Count.nullable(),
  unsourced_after: Count.nullable(),
});
export type SteeringRecord = z.infer<typeof SteeringRecord>;

/** The effect of steering on the answer. */
export type SteerEfficacy = 'fixed' | 'not_fixed' | 'worse' | 'unknown';

/**
 * The effect of a steering note, by the recheck of the delivered answer: `worse` if more figures
 * lack a source than in the original answer, regardless of the verifier's decision; otherwise
 * `fixed` if the verifier passes the answer, `not_fixed` if it would steer again, and `unknown` if
 * the recheck has no verdict. The same rule applies to a control, whose answer was not changed: its
 * rate of `fixed` shows how often the verifier merely changes its mind, and the difference is the
 * effect of steering. Pure.
 */
export function efficacyOf(steer: SteeringRecord): SteerEfficacy {
  const { after, unsourced_before: before, unsourced_after: now } = steer;
  if (before !== null && now !== null && now > before) return 'worse';
  if (after?.decision === 'pass') return 'fixed';
  return after?.decision === 'steer' ? 'not_fixed' : 'unknown';
}

/**
 * One verification before delivery to the client (QV): a judge call on the answer, and the effect
 * of its steering note.
 */
export const AnswerVerification = JudgeCall.extend({ steer: SteeringRecord.nullable() });
export type AnswerVerification = z.infer<typeof AnswerVerification>;

/** The verification of an answer before delivery by the verifier that its route names. */
export const RouteVerification = z.object({
  /** The verifier's slug. */
  verifier: z.string(),
  /** `ver_…`; null if the verification could not be started. */
  verdict_id: z.string().nullable(),
  verdict: GatewayVerdict,
  /** The reason for a missing verdict; null if there was a verdict in time. */
  problem: z.string().nullable(),
  /** The effect of the verdict's feedback; null unless the route steers and the answer failed. */
  steer: SteeringRecord.nullable(),
});
export type RouteVerification = z.infer<typeof RouteVerification>;

/** The integrity result of a buffered answer (INT-12). */
export const BufferedIntegrity = z.object({
  integrity_mode: z.enum(['envelope', 'fallback_scan']),
  integrity_unsourced: Count,
  integrity_reprompt_used: z.boolean(),
  integrity_parse_ok: z.boolean(),
  /** Retries of transient errors (INT-9). */
  retries: Count,
});
export type BufferedIntegrity = z.infer<typeof BufferedIntegrity>;

/**
 * The gateway's record of a call. It is the member `gateway` of the turn's payload, is accepted
 * only on turns with the origin `gateway`, and is the input of the verifier `turn` once the turn is
 * stored.
 */
export const GatewayRecord = z.object({
  call_id: z.string(),
  route: z.string(),
  dialect: GatewayDialect,
  stream: z.boolean(),
  status: z.number().int(),
  verdict: GatewayVerdict,
  reason: GatewayReason.nullable(),
  /** `ver_…`: the verdict planned for this turn, whose id the client received. */
  verification_id: z.string().nullable(),
  /** The answer was longer than the capture: only its beginning is stored. */
  truncated: z.boolean(),
  /** The upstream or the client disconnected before the end. */
  partial: z.boolean(),
  first_byte_ms: Ms.nullable(),
  duration_ms: Ms,
  /** The time from the answer's last byte to its delivery; null if the answer was not buffered. */
  held_ms: Ms.nullable(),
  episode: AnswerVerification.nullable(),
  integrity: BufferedIntegrity.nullable(),
  // Records of earlier releases do not have it.
  verification: RouteVerification.nullable().default(null),
});
export type GatewayRecord = z.infer<typeof GatewayRecord>;
