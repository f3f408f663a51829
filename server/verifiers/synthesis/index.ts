import { lineOf } from '../asking';
import type { SubjectKind } from '../subject-kind';
import type { SynthesisDetail } from './detail';
import { synthesisFields } from './fields';
import { cacheKeyOf, estimateOf, needsJudge, PROMPT } from './judging';
import { planSynthesis } from './plan';
import { SynthesisConfig, SynthesisSubject } from './subject';
import { decideSynthesis } from './verdict';

/** Whether each claim of an answer rests on what an agent handed in (SOAR-21 to SOAR-25). */
export const synthesis: SubjectKind<SynthesisSubject, SynthesisConfig, SynthesisDetail> = {
  name: 'synthesis',
  config: SynthesisConfig,
  fields: synthesisFields,
  subject: SynthesisSubject,
  retryBudget: ({ retry_budget }) => retry_budget,
  unbudgeted: true,
  pipelineOf: ({ query }) => ({ query, complexity: null }),
  excerptOf: ({ query }) => lineOf(query),
  promptSlugs: (subject) => (needsJudge(subject) ? [PROMPT] : []),
  estimate: estimateOf,
  cacheKey: cacheKeyOf,
  plan: planSynthesis,
  decide: decideSynthesis,
};
