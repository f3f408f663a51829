export { fromSession, fromMission } from './from-turns';
export { fromTrace } from './from-trace';
export { fromTurn } from './from-turn';
export { applyMapping, type CompiledMapping, compileMapping } from './mapping';
export type { ReadingSettings } from './reading';
