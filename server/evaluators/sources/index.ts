export { checkSourcePattern } from './source-pattern';
export { withNamedSources } from './named-sources';
export { namedBlocks, turnBegin } from './named-blocks';
