import { lineOf } from '../asking';
import { rederiveBy } from '../rederive';
import type { Kind } from '../kind';
import { ConsistencyBasis, rederiveConsistency } from './basis';
import { consistencyFields } from './fields';
import { perturbConsistency } from './perturb';
import { estimateConsistency, pairsOf, planConsistency, PROMPT } from './plan';
import { consistencyReadings } from './reading';
import { ConsistencyConfig, type ConsistencyDetail, ConsistencySubject } from './subject';
import { decideConsistency } from './verdict';
import { showConsistency } from './content';
import { consistencyView } from './view';

/** Whether outputs of related tasks contradict each other, pair by pair (VS-42). */
export const consistency: Kind<ConsistencySubject, ConsistencyConfig, ConsistencyDetail> = {
  ...consistencyView,
  showContent: showConsistency,
  config: ConsistencyConfig,
  fields: consistencyFields,
  subject: ConsistencySubject,
  readings: consistencyReadings,
  excerptOf: ({ outputs }) =>
    lineOf(`${outputs.length} outputs: ${outputs.map(({ task_id }) => task_id).join(', ')}`),
  promptSlugs: (subject) => (pairsOf(subject).length === 0 ? [] : [PROMPT]),
  estimate: estimateConsistency,
  // Nothing is cached: answers could be cached only for whole subjects, and at least one of twenty
  // outputs has usually changed.
  cacheKey: () => null,
  plan: planConsistency,
  rederive: rederiveBy(ConsistencyBasis, rederiveConsistency),
  decide: decideConsistency,
  perturb: perturbConsistency,
};
