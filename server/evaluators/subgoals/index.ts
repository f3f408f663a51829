export type { Decomposition, KnownAgent, Phase, Subgoal, Surroundings } from './decomposition';
export type { Finding } from './findings';
export { checkStructure, STRUCTURE, STRUCTURE_TITLE, type StructureDetail } from './structure';
