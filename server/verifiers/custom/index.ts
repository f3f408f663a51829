export type { CustomKind, ProgramFault } from './contract';
export { CustomDefinition, customMembers } from './definition';
export {
  excerptOfCustom,
  CustomSubject,
  customReadings,
  readCustomSubject,
  showCustomContent,
  valueOfVariable,
} from './subject';
export {
  noJudgeCost,
  decideCustom,
  CustomBasis,
  rederiveCustom,
} from './value';
