export { type TierLimits, tierLimits } from './limits';
export { readTier, type TierReading } from './read-tier';
