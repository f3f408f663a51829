export { categoricalKappa, cohenKappa, gwetAc1, krippendorffAlpha, type Kappa } from './agreement';
export { bca, bcaOfCounts } from './bootstrap';
export {
  benjaminiHochberg,
  detectableDifference,
  fisherExact,
  holm,
  mcNemar,
  mcNemarOfClusters,
  type PairedTest,
  type Pairing,
} from './compare';
export { correctionFor } from './choose-correction';
export { complement, skillOf } from './corrected';
export { kendallTauB, pearson, pearsonOfSums, spearman, type CorrelationOf } from './correlation';
export {
  averagePrecision,
  bestYouden,
  rocAuc,
  sweep,
  type Scored,
  type ThresholdPoint,
} from './curves';
export { widened } from './design-effect';
export { confidenceSequence, type Sequence } from './drift';
export {
  clopperPearson,
  clusteredVariance,
  estimated,
  type Estimated,
  type Interval,
} from './intervals';
export { detectLevelChange } from './level-change';
export { itemsToExclude, pairsNeeded } from './items-needed';
export { jackknife } from './jackknife';
export {
  groupsMax,
  type MeanDifference,
  meanDifference,
} from './mean-difference';
export { brier, ece, type Forecast } from './probability';
export {
  exactBinomial,
  flipRate,
  icc2k,
  linearBiasHc3,
  selfAgreement,
  withinItemDeviation,
} from './probes';
export { createRandom, seedOf } from './random';
export { type DayShare, detectRateChange, significantTogether } from './rate-change';
export { balancedAccuracy, fBeta, mcc, youden } from './summary';
export { pairedDifference } from './paired-difference';
