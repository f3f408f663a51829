export { findPii, type PiiType, piiTypes } from './find';
