export { chooseFramework } from './choose';
export { frameworkNames } from './requested';
export type { Framework } from './framework';
export { findFramework } from './table';
export { frameworkLanguageOf, frameworksIn, usesFramework } from './used';
