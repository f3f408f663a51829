export type { OwnKind, ProgramFault } from './contract';
export { OwnDefinition, ownMembers } from './definition';
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
  rederiveOwn,
} from './value';
