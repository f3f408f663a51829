export { type EvaluatorContext, measuredBy } from './evaluator';
