export { fromSession, fromMission } from './from-turns';
export { fromTrace } from './from-trace';
export { fromTurn } from './from-turn';
export { applyMapping, compileMapping } from './mapping';
