export { checkEvaluator, describeCheck, misspeltOptions, prepareCheck, runCheck } from './run';
export {
  CheckEntry,
  type CheckInput,
  commonMembers,
  type CustomCheck,
  customChecks,
  prepareEntry,
  subjectQueries,
} from './custom';
/** @internal For tests of other modules. */
export { checks } from './registry';
