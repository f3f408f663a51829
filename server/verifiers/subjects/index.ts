export { fromSession, fromMission, type TurnsParts } from './from-turns';
export { fromTrace, type TraceParts } from './from-trace';
export { fromTurn, type RecordedTurn } from './from-turn';
export {
  applyMapping,
  type CompiledMapping,
  compileMapping,
  type MappedValues,
  type MappingProblem,
} from './mapping';
export { type FileEditNote, readFileEdits } from './file-edits';
export type { Material, NoSubject, Read, Reading, Readings, ReadingSettings } from './reading';
