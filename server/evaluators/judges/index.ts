export { addUsage, type Judged, type JudgeErrorClass, type JudgeUsage, noUsage } from './ask-judge';
export { describeHidden, findHiddenText, type HiddenText } from './hidden-text';
export { type CriteriaQuestion, type JudgeBench, judgeCriteria, type JudgementResult } from './judge-criteria';
export { Judgement, type JudgedCriterion } from './judgement';
export { judgePair, type PairFinding, type PairQuestion } from './judge-pair';
export { judgeSummary, type SummaryFinding, type SummaryQuestion } from './judge-summary';
export { type Screened, screenOutput } from './screen';
export type { ScoringMode } from './shapes';
