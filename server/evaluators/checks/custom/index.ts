export { CheckEntry } from './entry';
export { type CheckInput, commonMembers, type CustomCheck, subjectQueries } from './definition';
export { customChecks } from './registry';
export { prepareEntry } from './run';
