import {
  type CanaryText,
  emptyTexts,
  filler,
  type Perturbations,
  reversed,
  swayingTexts,
} from '../perturbing';
import type { DecompositionConfig } from './config';
import type { DecompositionSubject } from './subject';

/** Lists subgoals and agents in reverse; the plan itself states the order of work. */
function reordered(subject: DecompositionSubject): DecompositionSubject | null {
  const { decomposition, agents, scores } = subject;
  if (scores !== null || decomposition.subgoals.length < 2) return null;
  return {
    ...subject,
    decomposition: { ...decomposition, subgoals: reversed(decomposition.subgoals) },
    agents: agents === null ? null : reversed(agents),
  };
}

const charsOf = ({ decomposition: { goal, subgoals } }: DecompositionSubject): number =>
  subgoals.reduce((sum, { description }) => sum + description.length, goal.length);

function padded(
  subject: DecompositionSubject,
  { shown_chars: max }: DecompositionConfig,
): DecompositionSubject | null {
  const { decomposition, scores } = subject;
  if (scores !== null || decomposition.subgoals.length === 0) return null;
  const last = decomposition.subgoals.length - 1;
  const subgoals = decomposition.subgoals.map((each, i) =>
    i === last ? { ...each, description: each.description + filler } : each,
  );
  const longer = { ...subject, decomposition: { ...decomposition, subgoals } };
  // Measures the JSON form, since the judge sees that, truncated.
  return JSON.stringify(longer.decomposition).length > max ? null : longer;
}

/**
 * Tests both judges: the planner's own model for routine queries, the adversarial judge for the
 * rest (SOAR-2).
 */
const complexities = ['MEDIUM', 'COMPLEX'] as const;

const of = ({ name, what, text }: CanaryText, complexity: (typeof complexities)[number]) => ({
  name: `${name} ${complexity}`,
  what: `${what}, as the only subgoal of a ${complexity} query`,
  subject: {
    query:
      'Compare what three suppliers charge for the same part, check their terms of delivery, and recommend one with reasons.',
    complexity,
    decomposition: {
      goal: 'Recommend a supplier',
      subgoals: [{ id: 'only', description: text, agent: 'writer' }],
      execution_order: [{ phase: 'sequential', subgoals: ['only'] }],
    },
    agents: [{ name: 'writer', capabilities: ['write'] }],
  },
});

const canaries = complexities.flatMap((complexity) =>
  [...emptyTexts, ...swayingTexts('Say something about the weather.')].map((text) =>
    of(text, complexity),
  ),
);

export const perturbDecomposition: Perturbations<DecompositionSubject, DecompositionConfig> = {
  reordered,
  padded,
  judgedChars: charsOf,
  canaries,
};
