export { findFile } from './find-file';
export { editsAllowed, FuzzyText } from './fuzzy-text';
export { matchPatterns, type PatternMatch } from './match';
export { MyersPattern } from './myers';
