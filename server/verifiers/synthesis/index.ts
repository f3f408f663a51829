import { lineOf } from '../asking';
import { rederiveBy } from '../rederive';
import type { Kind } from '../kind';
import { SynthesisBasis, rederiveSynthesis } from './basis';
import type { SynthesisDetail } from './detail';
import { synthesisFields } from './fields';
import { cacheKeyOf, estimateOf, needsJudge, PROMPT } from './judging';
import { perturbSynthesis } from './perturb';
import { planSynthesis } from './plan';
import { synthesisReadings } from './reading';
import { SynthesisConfig, SynthesisSubject } from './subject';
import { decideSynthesis } from './verdict';
import { showSynthesis } from './page';
import { synthesisView } from './view';

/** Whether an agent's output supports each claim of an answer (SOAR-21 to SOAR-25). */
export const synthesis: Kind<SynthesisSubject, SynthesisConfig, SynthesisDetail> = {
  ...synthesisView,
  showCheckpoint: showSynthesis,
  config: SynthesisConfig,
  fields: synthesisFields,
  subject: SynthesisSubject,
  readings: synthesisReadings,
  retryBudget: ({ retry_budget }) => retry_budget,
  unbudgeted: true,
  pipelineOf: ({ query }) => ({ query, complexity: null }),
  excerptOf: ({ query }) => lineOf(query),
  promptSlugs: (subject) => (needsJudge(subject) ? [PROMPT] : []),
  estimate: estimateOf,
  cacheKey: cacheKeyOf,
  plan: planSynthesis,
  rederive: rederiveBy(SynthesisBasis, rederiveSynthesis),
  decide: decideSynthesis,
  perturb: perturbSynthesis,
};
