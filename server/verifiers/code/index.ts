import { lineOf } from '../asking';
import { rederiveBy } from '../rederive';
import type { Kind } from '../kind';
import { CodeBasis, rederiveCode } from './basis';
import { CodeConfig, codeFields } from './config';
import { contractOf, tierOf } from './contract';
import type { CodeDetail } from './detail';
import { planCode } from './plan';
import { codeReadings } from './reading';
import { estimateCode, SEMANTIC_PROMPT } from './semantic-node';
import { CodeSubject, modelOf } from './subject';
import { decideCode } from './verdict';
import { viewCode } from './page';
import { codeView } from './view';

/**
 * Whether generated code meets the request: its files, their content, and whether they compile
 * (QEL).
 */
export const code: Kind<CodeSubject, CodeConfig, CodeDetail> = {
  ...codeView,
  showCode: viewCode,
  config: CodeConfig,
  fields: codeFields,
  subject: CodeSubject,
  readings: codeReadings,
  thresholdKey: (subject) => tierOf(subject).tier,
  thresholdRange: { low: 0, high: 100 },
  readsSession: true,
  sandbox: 'own',
  modelOf,
  excerptOf: (subject) =>
    lineOf(subject.request === '' ? contractOf(subject).deliverables.join(', ') : subject.request),
  // Prompts are listed before the setting exists, when it is still open whether a judge is called.
  promptSlugs: (subject) =>
    ['large', 'xlarge'].includes(tierOf(subject).tier) ? [SEMANTIC_PROMPT] : [],
  estimate: estimateCode,
  // Nothing is cached: gates prove the current state, and a bonus is requested once.
  cacheKey: () => null,
  plan: planCode,
  rederive: rederiveBy(CodeBasis, rederiveCode),
  decide: decideCode,
};
