export {
  addUsage,
  type Judged,
  type JudgeErrorClass,
  type JudgeUsage,
  noUsage,
  type ReplacedJudge,
} from './ask-judge';
export { mergeIssues, plainTexts, type StatedIssue } from './decomposition-reply';
export { describeHidden, findHiddenText, type HiddenText } from './hidden-text';
export { CLAIMS_ASKED_MAX, ClaimsFinding, type ClaimsQuestion, judgeClaims } from './judge-claims';
export {
  CONTEXT_CHARS_MAX,
  type CriteriaQuestion,
  type JudgeBench,
  judgeCriteria,
  type JudgementResult,
  TASK_CHARS_MAX,
} from './judge-criteria';
export { DecompositionFinding, judgeDecomposition } from './judge-decomposition';
export { Judgement, type JudgedCriterion } from './judgement';
export {
  judgePair,
  PAIR_CONTEXT_CHARS_MAX,
  type PairFinding,
  type PairQuestion,
} from './judge-pair';
export { judgeSummary, type SummaryFinding, type SummaryQuestion } from './judge-summary';
export { type Screened, screenOutput } from './screen';
export type { ScoringMode } from './shapes';
export { pairCost, readingCost, WINDOWING } from './windows';
