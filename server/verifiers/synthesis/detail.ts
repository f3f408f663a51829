import { z } from 'zod';
import { CheckpointVerdict } from '../checkpoint';

const rate = z.number().min(0).max(1);

const SynthesisClaim = z.object({
  text: z.string(),
  /**
   * Code points of the answer, end exclusive; null where a claim that was handed over does not
   * are there word for word.
   */
  start: z.number().int().min(0).nullable(),
  end: z.number().int().min(0).nullable(),
  /** `undecided` counts as unsupported. */
  state: z.enum(['supported', 'unsupported', 'undecided']),
  /** Ids of outputs. */
  supported_by: z.array(z.string()),
  /** By what it was decided; null where it was not. */
  by: z.enum(['figures', 'quote', 'text', 'judge', 'caller']).nullable(),
  reason: z.string().nullable(),
});
export type SynthesisClaim = z.infer<typeof SynthesisClaim>;

/** What to give the user in place of the answer (SOAR-22). */
const Fallback = z.object({
  warning: z.string(),
  reason: z.string(),
  /** As they were handed over. */
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
   * Supported claims of all claims, to 4 decimals; null where there are none, or too many are
   * undecided to tell (SOAR-24).
   */
  traceability: rate.nullable(),
  claims: z.array(SynthesisClaim),
  /** Texts of the claims that are not supported. */
  unsupported: z.array(z.string()),
  /**
   * Claims by what is known of them; `unjudged` are left to a judge that was not asked, or gave
   * nothing. Null: they were not counted.
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
   * Claims that say otherwise than an output: position in `claims`, id of the output, and its
   * statement. Reported, never gating.
   */
  contradicted: z.array(
    z.object({ claim: z.number().int(), output: z.string(), statement: z.string() }),
  ),
  /** Ids of outputs of which the answer repeats nothing. Reported, never gating. */
  unused_outputs: z.array(z.string()),
  /** Reported, and never gating (SOAR-23). */
  coherence: rate.nullable(),
  completeness: rate.nullable(),
  verdict: CheckpointVerdict.nullable(),
  /** What whoever shows the answer should say next to it, or null. */
  warning: z.string().nullable(),
  /** Why it failed; null where it did not. */
  error: z.string().nullable(),
  retry_feedback: z.string().nullable(),
  fallback: Fallback.nullable(),
});
export type SynthesisDetail = z.infer<typeof SynthesisDetail>;
