export { extensionOf, parsedLanguageOf } from './languages';
export { parseCode } from './parsers';
export { type CodeFile, readCode } from './read-code';
/** @internal For tests in other modules. */
export { stripComments } from './read-code';
export { structuralMultiplier, type Structure } from './multiplier';
export { findSyntaxErrors } from './syntax';
export { findNewerSyntax, isNewerThan, type NewerSyntax } from './newer-syntax';
