export { checks } from './registry';
export { checkEvaluator, type CheckRequest, describeCheck, prepareCheck, runCheck } from './run';
