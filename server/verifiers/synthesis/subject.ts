import { z } from 'zod';
import { intakeLimits, isBlank, plainName } from '../../domain';
import { RetryBudget } from '../checkpoint';

const Id = plainName(intakeLimits.idChars);

/** Limits of a synthesis, in addition to those of every body (20 MiB, nesting 64). */
export const synthesisLimits = {
  queryChars: 100_000,
  answerChars: 1_048_576,
  outputs: 200,
  /** Of all outputs together, summaries and data. */
  outputChars: 4_194_304,
  claims: 5_000,
  claimChars: 10_000,
} as const;

/** The output of one agent. `data` is any JSON. */
const AgentOutput = z.object({
  id: Id,
  agent: z
    .string()
    .max(300)
    .nullish()
    .transform((agent) => agent ?? null),
  summary: z
    .string()
    .nullish()
    .transform((summary) => summary ?? ''),
  data: z
    .unknown()
    .optional()
    .transform((data) => data ?? null),
});
export type AgentOutput = z.infer<typeof AgentOutput>;

const GivenClaim = z.object({
  text: z
    .string()
    .trim()
    .max(synthesisLimits.claimChars)
    .refine((text) => !isBlank(text), 'must not be empty'),
  supported_by: z
    .array(z.string().max(intakeLimits.idChars))
    .max(synthesisLimits.outputs)
    .default([]),
});
export type GivenClaim = z.infer<typeof GivenClaim>;

const sizeOf = ({ summary, data }: AgentOutput): number =>
  summary.length + (data === null ? 0 : JSON.stringify(data).length);

/**
 * The members of `POST /v1/verify/synthesis` that only this kind has (SOAR-21). Parsing is
 * idempotent.
 */
export const SynthesisSubject = z.object({
  query: z
    .string()
    .trim()
    .max(synthesisLimits.queryChars)
    .refine((text) => !isBlank(text), 'must not be empty'),
  answer: z
    .string()
    .max(
      synthesisLimits.answerChars,
      `must have at most ${synthesisLimits.answerChars} characters`,
    ),
  agent_outputs: z
    .array(AgentOutput)
    .max(synthesisLimits.outputs, `must have at most ${synthesisLimits.outputs} items`)
    .refine(
      (outputs) => new Set(outputs.map(({ id }) => id)).size === outputs.length,
      'must name each id once',
    )
    .refine(
      (outputs) =>
        outputs.reduce((sum, each) => sum + sizeOf(each), 0) <= synthesisLimits.outputChars,
      `must have at most ${synthesisLimits.outputChars} characters together`,
    ),
  /**
   * Claims that the caller has already judged: no judge is called. Null if this verifier splits the
   * answer.
   */
  claims: z
    .array(GivenClaim)
    .max(synthesisLimits.claims, `must have at most ${synthesisLimits.claims} items`)
    .nullish()
    .transform((claims) => claims ?? null),
});
export type SynthesisSubject = z.infer<typeof SynthesisSubject>;

export const SynthesisConfig = z.object({
  retry_budget: RetryBudget,
  /** Code points of the answer that the judge sees. */
  answer_chars: z.number().int().min(1_000).max(200_000).default(16_000),
  /** Code points of all outputs together that the judge sees; each has an equal share. */
  output_chars: z.number().int().min(2_000).max(200_000).default(48_000),
});
export type SynthesisConfig = z.infer<typeof SynthesisConfig>;
