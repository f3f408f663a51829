import type { Kind } from '../kind';
import {
  excerptOfCustom,
  type CustomKind,
  CustomSubject,
  customReadings,
  rederiveCustom,
  showCustomContent,
} from '../custom';
import { JudgeConfig, JudgeDefinition } from './definition';
import type { JudgeDetail } from './detail';
import { planJudge } from './plan';
import { cacheKeyOf, estimateOf } from './question';
import { decideJudge } from './verdict';
import { judgeView } from './view';

export { JudgeConfig } from './definition';
export { JudgeDetail } from './detail';

const judgeContract: CustomKind = {
  definition: JudgeDefinition,
  promptOf: (definition) => JudgeDefinition.parse(definition).judge.prompt,
  configOf: (definition, prompt) => withPrompt(JudgeDefinition.parse(definition), prompt),
  definitionOf: (config, prompt) => withPrompt(JudgeConfig.parse(config), prompt),
};

const withPrompt = (written: JudgeDefinition | JudgeConfig, prompt: string) => ({
  ...written,
  judge: { ...written.judge, prompt },
});

/**
 * A judge that a project defines: models answer its prompt about any subject, and the value of the
 * answer decides (online.md 3).
 */
export const judgeKind: Kind<CustomSubject, JudgeConfig, JudgeDetail> = {
  ...judgeView,
  custom: judgeContract,
  config: JudgeConfig,
  /** Its definition is edited as a whole. */
  fields: [],
  subject: CustomSubject,
  readings: customReadings,
  excerptOf: excerptOfCustom,
  modelOf: ({ subject }) => subject.model,
  showContent: showCustomContent,
  // Its rule's budgets limit its cost: a turn costs less than any judge, so that a share of the
  // turn's cost would exclude almost all of them.
  unbudgeted: true,
  needsModel: true,
  promptSlugs: (_subject, { judge }) => [judge.prompt],
  judgesOf: ({ judge: { model, fallbacks, jury } }) =>
    model === null && fallbacks.length === 0 && jury.length === 0
      ? null
      : { model, fallbacks, jury },
  examplesOf: ({ judge }) => judge.examples,
  estimate: estimateOf,
  cacheKey: cacheKeyOf,
  plan: planJudge,
  rederive: rederiveCustom,
  decide: decideJudge,
};
