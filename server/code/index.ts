export {
  type GateResult,
  type RunGates,
  gateEvidence,
  gateStatuses,
  testRunners,
} from './gates/gate';
export { gateLanguages, noGateNotes } from './gates/languages';
export { longestMs } from './gates/second-chance';
export { editsAllowed, FuzzyText, MyersPattern, type PatternMatch } from './patterns';
export {
  bonusOf,
  type DimensionPoints,
  maxPoints,
  measureFiles,
  type Proof,
  proofOf,
} from './score';
export {
  standardScale,
  type Static,
  staticPoints,
  type Total,
  scoreTotal,
  whyNoBonus,
} from './score';
export { type CodeFile, extensionOf, readCode } from './structure';
export { contractPatterns, extractContract, promptBlock } from './contract';
export { readTier, tierLimits } from './tiers';
