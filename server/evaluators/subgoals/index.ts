export { checkStructure, STRUCTURE, STRUCTURE_TITLE, type StructureDetail } from './structure';
