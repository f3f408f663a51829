export type { ElementKind } from './candidate';
export type { CodeElement } from './elements';
export { extensionOf } from './languages';
export { type CodeFile, readCode, stripComments, type WrittenFile } from './read-code';
export { structuralMultiplier, type Structure } from './multiplier';
