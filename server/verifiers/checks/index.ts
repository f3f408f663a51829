import type { Kind } from '../kind';
import {
  excerptOfCustom,
  CustomSubject,
  customReadings,
  rederiveCustom,
  showCustomContent,
} from '../custom';
import { ChecksConfig } from './config';
import type { ChecksDetail } from './detail';
import { planChecks } from './plan';
import { decideChecks } from './verdict';
import { checksView } from './view';

export { ChecksConfig } from './config';
export { ChecksDetail } from './detail';

/** Checks that a project defines: they read a subject by rules and call no model. */
export const checksKind: Kind<CustomSubject, ChecksConfig, ChecksDetail> = {
  ...checksView,
  custom: { definition: ChecksConfig },
  config: ChecksConfig,
  fields: [],
  subject: CustomSubject,
  readings: customReadings,
  showContent: showCustomContent,
  excerptOf: excerptOfCustom,
  promptSlugs: () => [],
  estimate: () => ({ inputTokens: 0, outputTokens: 0 }),
  cacheKey: () => null,
  plan: planChecks,
  rederive: rederiveCustom,
  decide: decideChecks,
};
