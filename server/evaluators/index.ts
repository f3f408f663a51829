export type { CodeFile, GateJob, GateResult, RunGates } from './code/gates/gate';
export { type Evaluation, type Evaluator, type EvaluatorContext, measuredBy } from './evaluator';
