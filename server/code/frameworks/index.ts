export { chooseFramework } from './choose';
export { frameworkNames } from './asked';
export type { Framework } from './framework';
export { findFramework } from './table';
export { frameworkLanguageOf, frameworksIn, usesFramework } from './used';
