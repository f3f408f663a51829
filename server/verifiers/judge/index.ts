import type { Kind } from '../kind';
import {
  excerptOfOwn,
  type OwnKind,
  OwnSubject,
  ownReadings,
  rederiveOwn,
  showOwnContent,
} from '../own';
import { JudgeConfig, JudgeDefinition } from './definition';
import type { JudgeDetail } from './detail';
import { planJudge } from './plan';
import { cacheKeyOf, estimateOf } from './question';
import { decideJudge } from './verdict';
import { judgeView } from './view';

export { JudgeConfig } from './definition';
export { JudgeDetail } from './detail';

const judgeContract: OwnKind = {
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
export const judgeKind: Kind<OwnSubject, JudgeConfig, JudgeDetail> = {
  ...judgeView,
  own: judgeContract,
  config: JudgeConfig,
  /** Its definition is edited as a whole. */
  fields: [],
  subject: OwnSubject,
  readings: ownReadings,
  excerptOf: excerptOfOwn,
  modelOf: ({ subject }) => subject.model,
  showContent: showOwnContent,
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
  rederive: rederiveOwn,
  decide: decideJudge,
};
