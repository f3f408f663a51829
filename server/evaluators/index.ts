export { type Evaluation, type Evaluator, type EvaluatorContext, measuredBy } from './evaluator';
