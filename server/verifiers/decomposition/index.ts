import { lineOf } from '../asking';
import { CheckpointBasis, rederiveCheckpoint } from '../checkpoint';
import { rederiveBy } from '../rederive';
import type { Kind } from '../kind';
import { DecompositionConfig, decompositionFields } from './config';
import type { DecompositionDetail } from './detail';
import { cacheKeyOf, estimateOf, optionOf, promptSlugOf } from './judging';
import { perturbDecomposition } from './perturb';
import { planDecomposition } from './plan';
import { decompositionReadings } from './reading';
import { DecompositionSubject } from './subject';
import { decideDecomposition } from './verdict';
import { showDecomposition } from './page';
import { decompositionView } from './view';

/**
 * Whether the subgoals of a query cover it, fit together, are grounded in the context, and can be
 * routed to agents (SOAR-1 to SOAR-15).
 */
export const decomposition: Kind<DecompositionSubject, DecompositionConfig, DecompositionDetail> = {
  ...decompositionView,
  showCheckpoint: showDecomposition,
  config: DecompositionConfig,
  fields: decompositionFields,
  subject: DecompositionSubject,
  readings: decompositionReadings,
  selfJudging: ({ complexity }) => (optionOf(complexity) === 'self' ? 'preferred' : 'last_resort'),
  retryBudget: ({ retry_budget }) => retry_budget,
  unbudgeted: true,
  pipelineOf: ({ query, complexity }) => ({ query, complexity }),
  excerptOf: ({ query }) => lineOf(query),
  promptSlugs: (subject) => [promptSlugOf(subject)],
  estimate: estimateOf,
  cacheKey: cacheKeyOf,
  plan: planDecomposition,
  rederive: rederiveBy(CheckpointBasis, rederiveCheckpoint),
  decide: decideDecomposition,
  perturb: perturbDecomposition,
};
