export { applyThresholds, type AppliedThreshold } from './apply';
export { crossingOf } from './crossing';
export { listThresholdKeys, type ThresholdKey } from './keys';
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
export {
  type Authority,
  authorityColumn,
  type Decider,
  type Standing,
  standingText,
  unbound,
  whyAdvisory,
} from './trust/authority';
export {
  type Trust,
  type TrustChange,
  type TrustGap,
  trustGaps,
  type TrustMeasures,
  type TrustRate,
  type TrustState,
  trustStates,
} from './trust/trust';
export {
  listTrustSettings,
  standardTrust,
  type TrustSettings,
  trustSettingsOf,
} from './trust/trust-settings';
export { undoThreshold } from './undo';
