export { latestConfig, lockVersions, storeVersion } from './config-versions';
export {
  type ConfigState,
  getConfig,
} from './get-config';
export { putConfig } from './put-config';
export {
  findVerifier,
  listBuiltInVerifiers,
  listCustomVerifiers,
  listVerifierSlugs,
  requireNamedVerifier,
  servesRoutes,
  storedKindOf,
  storedKindsOf,
  takesTurns,
  type Verifier,
} from './custom-verifiers';
export {
  type DescribedVerifier,
  describeDefinition,
  describeDefinitions,
  listOverridden,
} from './describe-verifier';
export { archiveVerifier, putVerifier, type StoredVerifier } from './put-verifier';
export {
  completeDefinition,
  readDefinition,
  type ReadDefinition,
} from './read-definition';
