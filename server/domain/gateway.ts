import { z } from 'zod';

/** What one proxied call was told of its answer (api.md, Gateway: `x-assay-verdict`). */
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
 * Shapes of a model's API that the gateway can read: OpenAI chat completions, OpenAI responses,
 * Anthropic messages.
 */
export const GatewayDialect = z.enum(['chat', 'responses', 'messages']);
export type GatewayDialect = z.infer<typeof GatewayDialect>;

const Count = z.number().int().min(0);
const Ms = z.number().min(0);

/** What one verification of an answer came to, with what it cost. */
export const JudgeCall = z.object({
  decision: z.enum(['pass', 'steer', 'verifier_failed']),
  /** The steering note; null but for `steer`. */
  note: z.string().nullable(),
  /** Why the verifier failed, in a few words; null where it did not. */
  problem: z.string().nullable(),
  /** Calls made: 1, or 2 with the format correction (QV-20). */
  calls: Count,
  /** As the provider names it. */
  model: z.string().nullable(),
  /** `slug@version`. */
  prompt_version: z.string().nullable(),
  input_tokens: Count,
  output_tokens: Count,
  /** Null where the price is not known. */
  cost_usd: z.number().min(0).nullable(),
  latency_ms: Ms,
});
export type JudgeCall = z.infer<typeof JudgeCall>;

/**
 * What became of a steering note: whether the answer was asked for again, and what was delivered
 * (QV-26, QV-28).
 */
export const SteeringRecord = z.object({
  /**
   * `applied`: the recalled answer was delivered. `control`: the note was withheld on purpose, to
   * measure what steering does. `deferred`: the note is kept for the session's next request
   * (QV-31). `not_qualified`: the verifier is not trusted enough to steer, and that is enforced;
   * `problem` says what it lacks. In all but `applied` the original was delivered.
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
  /** Why the recall failed; null where it did not. */
  problem: z.string().nullable(),
  recall_ms: Ms.nullable(),
  recall_input_tokens: Count.nullable(),
  recall_output_tokens: Count.nullable(),
  recall_cost_usd: z.number().min(0).nullable(),
  /**
   * The answer that was not delivered: the original where the recalled one was, and the other way
   * round; null where there is none.
   */
  other_answer: z.string().nullable(),
  /**
   * The verifier's second look, at what was delivered (in a control: at the same answer again).
   * Null where none was taken.
   */
  after: JudgeCall.nullable(),
  /** Figures without a source, before and after; null where integrity is off. */
  unsourced_before: Count.nullable(),
  unsourced_after: Count.nullable(),
});
export type SteeringRecord = z.infer<typeof SteeringRecord>;

/** How a steer came out. */
export type SteerEfficacy = 'fixed' | 'not_fixed' | 'worse' | 'unknown';

/**
 * What came of a steering note, by the second look at what was delivered: `worse`, where more
 * figures lack a source than in the original answer, whatever the verifier says; else `fixed` where
 * it lets the answer pass, `not_fixed` where it would steer again. `unknown` where no second look
 * gave a verdict. The same rule holds for a control, whose answer was not changed: how often those
 * are `fixed` is how often the verifier merely changes its mind, and what steering does is the
 * difference. Pure.
 */
export function efficacyOf(steer: SteeringRecord): SteerEfficacy {
  const { after, unsourced_before: before, unsourced_after: now } = steer;
  if (before !== null && now !== null && now > before) return 'worse';
  if (after?.decision === 'pass') return 'fixed';
  return after?.decision === 'steer' ? 'not_fixed' : 'unknown';
}

/**
 * One verification on the way to the client (QV): a look at the answer, and what a steering note
 * led to.
 */
export const AnswerVerification = JudgeCall.extend({ steer: SteeringRecord.nullable() });
export type AnswerVerification = z.infer<typeof AnswerVerification>;

/** What holding an answer for integrity came to (INT-12). */
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
 * What the gateway tells of a call. It is in the turn's payload as the member `gateway`, is
 * honoured only on turns whose origin is `gateway`, and is what the verifier `turn` decides by when
 * the turn is stored.
 */
export const GatewayRecord = z.object({
  call_id: z.string(),
  route: z.string(),
  dialect: GatewayDialect,
  stream: z.boolean(),
  status: z.number().int(),
  verdict: GatewayVerdict,
  reason: GatewayReason.nullable(),
  /** `ver_…`: the verdict that this turn is owed and the client was told of. */
  verification_id: z.string().nullable(),
  /** The answer was longer than the capture: what is stored is its beginning. */
  truncated: z.boolean(),
  /** Upstream or client left before the end. */
  partial: z.boolean(),
  first_byte_ms: Ms.nullable(),
  duration_ms: Ms,
  /** How long the answer was held after its last byte; null where it was not held. */
  held_ms: Ms.nullable(),
  episode: AnswerVerification.nullable(),
  integrity: BufferedIntegrity.nullable(),
});
export type GatewayRecord = z.infer<typeof GatewayRecord>;
