import { z } from 'zod';
import type { Complexity } from '../../domain';
import { RetryBudget, retryField } from '../checkpoint';
import type { ConfigField } from '../config-field';

const SubgoalLimit = z.number().int().min(1).max(20_000);

export const DecompositionConfig = z.object({
  retry_budget: RetryBudget,
  /**
   * More subgoals than this are an issue; the limit depends on the complexity of the query
   * (SOAR-14).
   */
  subgoals_simple: SubgoalLimit.default(5),
  subgoals_medium: SubgoalLimit.default(10),
  subgoals_complex: SubgoalLimit.default(20),
  subgoals_critical: SubgoalLimit.default(40),
  /** Code points of the decomposition in one judge call. */
  shown_chars: z.number().int().min(2_000).max(200_000).default(40_000),
});
export type DecompositionConfig = z.infer<typeof DecompositionConfig>;

const limitKeys = {
  SIMPLE: 'subgoals_simple',
  MEDIUM: 'subgoals_medium',
  COMPLEX: 'subgoals_complex',
  CRITICAL: 'subgoals_critical',
} as const satisfies Record<Complexity, keyof DecompositionConfig>;

export const subgoalsMax = (complexity: Complexity, config: DecompositionConfig): number =>
  config[limitKeys[complexity]];

const limitField = (complexity: Complexity): ConfigField => ({
  key: limitKeys[complexity],
  name: `Subgoals of a ${complexity} query`,
  meaning: 'More than this are reported as an issue. No decomposition fails by their number.',
  type: 'number',
  min: 1,
  max: 20_000,
  whole: true,
});

export const decompositionFields: readonly ConfigField[] = [
  retryField,
  limitField('SIMPLE'),
  limitField('MEDIUM'),
  limitField('COMPLEX'),
  limitField('CRITICAL'),
  {
    key: 'shown_chars',
    name: 'Shown of the decomposition',
    meaning: 'Characters of a decomposition in one judge call. A longer one is judged in windows.',
    type: 'number',
    min: 2_000,
    max: 200_000,
    whole: true,
  },
];
