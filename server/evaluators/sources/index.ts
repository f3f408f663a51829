export { checkSourcePattern } from './source-pattern';
export { withNamedSources } from './named-sources';
export { namedBlocks, turnBegin, type NamedBlock, type SpokenText } from './named-blocks';
