export { findPii, type FoundPii, type PiiOptions, type PiiType, piiTypes } from './find';
