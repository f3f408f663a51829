import type { Kind } from '../kind';
import { excerptOfOwn, OwnSubject, ownReadings, rederiveOwn, showOwnContent } from '../own';
import { ChecksConfig } from './config';
import type { ChecksDetail } from './detail';
import { planChecks } from './plan';
import { decideChecks } from './verdict';
import { checksView } from './view';

export { ChecksConfig } from './config';
export { ChecksDetail } from './detail';

/** Checks that a project defines: they read a subject by rules and call no model. */
export const checksKind: Kind<OwnSubject, ChecksConfig, ChecksDetail> = {
  ...checksView,
  own: { definition: ChecksConfig },
  config: ChecksConfig,
  fields: [],
  subject: OwnSubject,
  readings: ownReadings,
  showContent: showOwnContent,
  excerptOf: excerptOfOwn,
  promptSlugs: () => [],
  estimate: () => ({ inputTokens: 0, outputTokens: 0 }),
  cacheKey: () => null,
  plan: planChecks,
  rederive: rederiveOwn,
  decide: decideChecks,
};
