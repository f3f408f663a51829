export { CheckEntry } from './entry';
export { type CheckInput, commonMembers, type OwnCheck, subjectQueries } from './definition';
export { ownChecks } from './registry';
export { prepareEntry } from './run';
