export { checks } from './registry';
export {
  checkEvaluator,
  type CheckRequest,
  describeCheck,
  misspeltOptions,
  prepareCheck,
  runCheck,
} from './run';
