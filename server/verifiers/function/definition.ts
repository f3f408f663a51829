import { z } from 'zod';
import { customMembers } from '../custom';

/** Limits of a function, in addition to those of every definition. */
export const functionLimits = {
  sourceChars: 100_000,
  timeoutMs: { min: 100, max: 30_000, default: 2_000 },
} as const;

const { sourceChars, timeoutMs } = functionLimits;

/** A function that people write (online.md 3). */
export const FunctionDefinition = z.strictObject({
  language: z.enum(['python', 'javascript']),
  /** Milliseconds for one subject. */
  timeout_ms: z.number().int().min(timeoutMs.min).max(timeoutMs.max).default(timeoutMs.default),
  source: z
    .string()
    .max(sourceChars, `has more than ${sourceChars} characters; move data out of the source`)
    .refine((source) => source.trim() !== '', 'is empty; define a function evaluate')
    .refine(
      (source) => !source.includes('\u0000') && source.isWellFormed(),
      'has a NUL character or an unpaired surrogate; write it as an escape',
    ),
});
export type FunctionDefinition = z.infer<typeof FunctionDefinition>;

/** The whole definition, stored as the verifier's config. */
export const FunctionConfig = z.strictObject({ ...customMembers, function: FunctionDefinition });
export type FunctionConfig = z.infer<typeof FunctionConfig>;
