export { checkEvaluator, describeCheck, misspeltOptions, prepareCheck, runCheck } from './run';
export {
  CheckEntry,
  type CheckInput,
  commonMembers,
  type OwnCheck,
  ownChecks,
  prepareEntry,
  subjectQueries,
} from './own';
