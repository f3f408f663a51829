export { checkSourcePattern } from './source-pattern';
export { namedBlocks, turnBegin, type NamedBlock, type SpokenText } from './named-blocks';
