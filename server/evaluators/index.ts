export { type EvaluatorContext, measuredBy } from './evaluator';
export { compileQuery, isProblem, type Query, QueryOverLimit } from './query';
