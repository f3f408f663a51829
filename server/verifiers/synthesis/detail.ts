import { z } from 'zod';
import { CheckpointVerdict } from '../checkpoint';

const rate = z.number().min(0).max(1);

const SynthesisClaim = z.object({
  text: z.string(),
  /**
   * Code points of the answer, end exclusive; null if a submitted claim does not occur in it
   * verbatim.
   */
  start: z.number().int().min(0).nullable(),
  end: z.number().int().min(0).nullable(),
  /** `undecided` counts as unsupported. */
  state: z.enum(['supported', 'unsupported', 'undecided']),
  /** Ids of outputs. */
  supported_by: z.array(z.string()),
  /** How it was decided; null if it was not. */
  by: z.enum(['figures', 'quote', 'text', 'judge', 'caller']).nullable(),
  reason: z.string().nullable(),
});
export type SynthesisClaim = z.infer<typeof SynthesisClaim>;

/** The fallback for the user, instead of the answer (SOAR-22). */
const Fallback = z.object({
  warning: z.string(),
  reason: z.string(),
  /** As submitted. */
  agent_outputs: z.array(
    z.object({
      id: z.string(),
      agent: z.string().nullable(),
      summary: z.string(),
      data: z.unknown(),
    }),
  ),
});

/** The member `synthesis` of a verdict. */
export const SynthesisDetail = z.object({
  /**
   * Supported claims as a share of all claims, to 4 decimals; null without claims, or with too many
   * undecided ones (SOAR-24).
   */
  traceability: rate.nullable(),
  claims: z.array(SynthesisClaim),
  /** Texts of the unsupported claims. */
  unsupported: z.array(z.string()),
  /**
   * Claims by state; `unjudged` are those left to a judge that was not called, or did not answer.
   * Null if they were not counted.
   */
  counts: z
    .object({
      claims: z.number().int(),
      supported: z.number().int(),
      unsupported: z.number().int(),
      contradicted: z.number().int(),
      unjudged: z.number().int(),
    })
    .nullable(),
  /**
   * Claims that contradict an output: index in `claims`, id of the output, and its statement.
   * Reported, never gating.
   */
  contradicted: z.array(
    z.object({ claim: z.number().int(), output: z.string(), statement: z.string() }),
  ),
  /** Ids of outputs of which the answer repeats nothing. Reported, never gating. */
  unused_outputs: z.array(z.string()),
  /** Reported, never gating (SOAR-23). */
  coherence: rate.nullable(),
  completeness: rate.nullable(),
  verdict: CheckpointVerdict.nullable(),
  /** The warning to show next to the answer, or null. */
  warning: z.string().nullable(),
  /** The reason for the failure; null if it did not fail. */
  error: z.string().nullable(),
  retry_feedback: z.string().nullable(),
  fallback: Fallback.nullable(),
});
export type SynthesisDetail = z.infer<typeof SynthesisDetail>;
