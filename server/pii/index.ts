export { findPii, normalPii, type PiiType, piiTypes } from './find';
