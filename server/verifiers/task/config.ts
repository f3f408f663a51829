import { z } from 'zod';
import { strategies } from '../spending';

/**
 * Qualities that are scored for every output in addition to its criteria (VS-6); they do not count
 * towards the aggregate (VS-5).
 */
export const qualities = [
  { name: 'completeness', meaning: 'all that was asked for is there' },
  { name: 'accuracy', meaning: 'what it says is right, as far as that can be seen' },
  { name: 'clarity', meaning: 'its reader can follow and use it' },
  { name: 'relevance', meaning: 'it is about what was asked, without ballast' },
] as const;

/** For work based on sources; off unless named (VS-53). */
export const sourceQualities = [
  {
    name: 'faithfulness',
    meaning: 'every statement about the context is borne out by the context',
  },
  { name: 'grounding', meaning: 'its statements say, and rightly, where they come from' },
] as const;

export const criteriaLimits = { items: 20, chars: 200 } as const;

/** The default criteria for tasks that a rule sends. */
const generalCriteria = [
  'The output does what the request asks for.',
  'Nothing in the output contradicts the request or its context.',
  'The output is complete: no part of the request is left out.',
];

export const TaskConfig = z.object({
  /** For tasks that rules send; a call brings its own. */
  criteria: z
    .array(z.string().trim().min(1).max(criteriaLimits.chars))
    .max(criteriaLimits.items)
    .default(generalCriteria),
  /** Selects the work that is judged (VS-40). */
  strategy: z.enum(strategies).default('tiered'),
  /** Share of the work that is judged under `sample`. */
  sample_rate: z.number().min(0).max(1).default(0.1),
  /** One question for all criteria, or one for each (VS-17). */
  judging: z.enum(['together', 'per_criterion']).default('together'),
  /** Additional qualities in the rubric. */
  dimensions: z
    .array(z.enum(['faithfulness', 'grounding']))
    .max(2)
    .default([]),
  /** Code points of the output in one judge call (VS-19). */
  output_chars: z.number().int().min(500).max(200_000).default(12_000),
});
export type TaskConfig = z.infer<typeof TaskConfig>;
