export { applyThresholds } from './apply';
export { crossingOf } from './crossing';
export { comparesScore, type ThresholdKey } from './keys';
export { findThresholdKeys } from './custom-keys';
export { listThresholds, type ThresholdState } from './list';
export { loadThresholds } from './load';
export { putThreshold } from './put';
export {
  type EffectiveThreshold,
  type EffectiveThresholds,
  thresholdFault,
  resolveThresholds,
  type ScopedValue,
  type ThresholdSource,
} from './resolve';
export {
  type Authority,
  authorityColumn,
  type Decider,
  trustText,
  unbound,
  whyAdvisory,
} from './trust/authority';
/** @internal For tests of other modules. */
export type { JudgeTrust } from './trust/authority';
export {
  type Trust,
  type TrustChange,
  type TrustGap,
  trustGaps,
  type TrustMeasures,
  type TrustRate,
  type TrustState,
  trustStateNames,
} from './trust/trust';
export { listTrustSettings, type TrustSettings, trustSettingsOf } from './trust/trust-settings';
/** @internal For tests of other modules. */
export { standardTrust } from './trust/trust-settings';
export { undoThreshold } from './undo';
/** @internal For tests of other modules. */
export { listThresholdKeys } from './keys';
