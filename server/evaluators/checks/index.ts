export { checkEvaluator, describeCheck, misspeltOptions, prepareCheck, runCheck } from './run';
