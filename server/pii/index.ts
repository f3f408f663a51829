export { findPii, type PiiOptions, type PiiType, piiTypes } from './find';
