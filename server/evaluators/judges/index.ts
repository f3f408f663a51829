export { addUsage, type Judged, type JudgeUsage, noUsage, type ReplacedJudge } from './ask-judge';
export { mergeIssues, plainTexts } from './decomposition-reply';
export { describeHidden, findHiddenText, type HiddenText } from './hidden-text';
export { JUDGED_CLAIMS_MAX, ClaimsFinding, judgeClaims } from './judge-claims';
export {
  CONTEXT_CHARS_MAX,
  type CriteriaQuestion,
  judgeCriteria,
  type JudgementResult,
  TASK_CHARS_MAX,
} from './judge-criteria';
export { DecompositionFinding, judgeDecomposition } from './judge-decomposition';
export { Judgement } from './judgement';
export {
  judgeCustom,
  type CustomQuestion,
  customReadingCost,
  type CustomResult,
} from './judge-custom';
export { judgePair, PAIR_CONTEXT_CHARS_MAX, type PairFinding } from './judge-pair';
export { judgeSummary, type SummaryFinding } from './judge-summary';
export { CustomOutput } from './custom-output';
export { CustomJudgement, type CustomPart } from './custom-votes';
export { type Screened, screenOutput } from './screen';
export { pairCost, readingCost, WINDOWING } from './windows';
