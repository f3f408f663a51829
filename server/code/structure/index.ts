export type { ElementKind } from './candidate';
export type { CodeElement } from './elements';
export { extensionOf, parsedLanguageOf } from './languages';
export { parseCode } from './parsers';
export { type CodeFile, readCode, stripComments, type WrittenFile } from './read-code';
export { structuralMultiplier, type Structure } from './multiplier';
export { findSyntaxErrors } from './syntax';
export { findNewerSyntax, isNewerThan, type NewerSyntax } from './newer-syntax';
