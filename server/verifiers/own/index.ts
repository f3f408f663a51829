export type { OwnKind, ProgramFault } from './contract';
export { OwnDefinition, OwnThresholds, ownLimits, ownMembers } from './definition';
export {
  excerptOfOwn,
  OwnSubject,
  ownReadings,
  readOwn,
  showOwnContent,
  valueOfVariable,
} from './subject';
export {
  askedNothing,
  decideOwn,
  OwnBasis,
  type OwnFinding,
  ownVerdicts,
  rederiveOwn,
} from './value';
