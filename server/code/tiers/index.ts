export { tierLimits } from './limits';
export { readTier } from './read-tier';
