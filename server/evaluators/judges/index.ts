export { addUsage, type Judged, type JudgeUsage, noUsage, type ReplacedJudge } from './ask-judge';
export { mergeIssues, plainTexts } from './decomposition-reply';
export { describeHidden, findHiddenText, type HiddenText } from './hidden-text';
export { CLAIMS_ASKED_MAX, ClaimsFinding, judgeClaims } from './judge-claims';
export {
  CONTEXT_CHARS_MAX,
  type CriteriaQuestion,
  judgeCriteria,
  type JudgementResult,
  TASK_CHARS_MAX,
} from './judge-criteria';
export { DecompositionFinding, judgeDecomposition } from './judge-decomposition';
export { Judgement } from './judgement';
export { judgeOwn, type OwnQuestion, ownReadingCost, type OwnResult } from './judge-own';
export { judgePair, PAIR_CONTEXT_CHARS_MAX, type PairFinding } from './judge-pair';
export { judgeSummary, type SummaryFinding } from './judge-summary';
export { OwnOutput } from './own-output';
export { OwnJudgement, type OwnPart } from './own-votes';
export { type Screened, screenOutput } from './screen';
export { pairCost, readingCost, WINDOWING } from './windows';
