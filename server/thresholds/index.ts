export { listThresholds, type SetThreshold, type ThresholdState } from './list';
export { loadThresholds, type StoredThresholds } from './load';
export { putThreshold } from './put';
export {
  type EffectiveThreshold,
  type EffectiveThresholds,
  faultOf,
  resolveThresholds,
  type ScopedValue,
  type ThresholdScope,
  type ThresholdSource,
} from './resolve';
