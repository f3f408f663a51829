export { type OutcomesTaken, takeOutcomes } from './take-outcomes';
export { listLabelsOf, type VerdictLabels } from './labels-of-verdict';
export { overrideVerdict, type VerdictLabel } from './override';
export { undoLabel } from './undo';
export { type Judgement, type JudgementPage, listJudgements } from './list-judgements';
export { measureVerifiers, type VerifierMeasures } from './measure';
export { measureVerifier, periodStart, type VerifierDetail } from './measure-verifier';
export type { Measure, Rates } from './rates';
