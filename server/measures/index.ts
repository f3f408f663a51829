export { readAuditReach } from './audit-reach';
export { measureCaughtCosts } from './caught-costs';

export {
  addToCluster,
  type ClusterMatrix,
  weightsOfClusters,
  weightsOfRows,
  type ItemWeights,
} from './clusters';
export { correctPassRate } from './corrected-rate';
export { countLabelledVerdicts } from './count-labelled-verdicts';
export { countOutcomes } from './count-outcomes';
export { clusterOfItem, readDrift } from './drift/read-drift';
export { readHumanCeiling } from './human-ceiling';
export type {
  CategoricalJudge,
  ImportedJudge,
  NumericJudge,
  PeopleAgreement,
} from './imported/imported';
export { measureImportedJudges } from './imported/measure-imported';
export { findLabelledExamples } from './labelled-examples';
export { labelledVerdictRows } from './labelled-verdicts';
export { listLabelledVerdicts } from './list-labelled-verdicts';
export { measureVerifier, periodStart } from './measure-verifier';
export { measureVerifiers, type VerifierMeasures } from './measure';
export { enqueueMissed } from './enqueue-missed';
export { findLimitedAccounts } from './outweighing';
export {
  measured,
  measureShare,
  noCounts,
  ratesOf,
  type Counts,
  type Measure,
  type Rates,
} from './rates';
export { countPending } from './report-options';
export { sliceColumns } from './report-rows';
export { reportVerifier } from './report-verifier';
export type { Drift, Estimate } from './report';
export { groundTruth } from './ground-truth';
export { refreshPending, refreshLabelledVerdicts } from './refresh';
