export {
  type GateJob,
  type GateResult,
  gateEvidence,
  gateStatuses,
  type RunGates,
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
  type SizeScale,
  standardScale,
  type Static,
  staticPoints,
  type Total,
  totalOf,
  whyNoBonus,
} from './score';
export { type CodeFile, extensionOf, readCode, type WrittenFile } from './structure';
export { contractPatterns, extractContract, promptBlock } from './contract';
export type { Framework } from './frameworks';
export { readTier, tierLimits } from './tiers';
