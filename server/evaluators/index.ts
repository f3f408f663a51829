export type { RunGates } from './code/gates/gate';
export { type EvaluatorContext, measuredBy } from './evaluator';
