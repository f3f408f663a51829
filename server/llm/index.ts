export { type AskDeps, type AskFor, createAsk } from './ask/create-ask';
export { createModelConnections, type ModelConnections } from './ask/connections';
export { createDirectAsk, type DirectCall } from './ask/direct-ask';
export { wrongParameter } from './ask/model';
export { createEndpoints } from './ask/endpoints';
/** @internal For tests of other modules. */
export type { Endpoints } from './ask/endpoints';
export { deleteReplies, recordCall } from './ask/record';
export { listCalledOrigins } from './providers/called-origins';
export { checkModelAddress } from './providers/check-address';
export { checkSpecProviders } from './providers/check-specs';
export { checkModel } from './ask/check-model';
export { deleteProvider, dropProviderSecrets } from './providers/delete';
export { followWrites, notifyFollowers } from './providers/followers';
export {
  listProviderModels,
  listProviders,
  listSealedProviders,
  loadModels,
  loadProviders,
  openProviders,
} from './providers/list';
export type { Provider, ProviderAccess } from './providers/provider';
export { createProviderBook } from './providers/provider-book';
export { baseUrlOf } from './providers/provider';
export { tryProvider } from './providers/try-provider';
export { putProvider } from './providers/put';
export {
  chooseJudge,
  type CrossModel,
  type JudgeChoice,
  crossModelOf,
} from './registry/choose-judge';
export { checkJudgeFamilies } from './registry/check-jury';
export { familyOf } from './registry/family';
export { aliasKeys, modelIdentity, resolveModel } from './registry/identity';
export { costOf, type Price, priceList } from './registry/price';
export {
  type ModelSettings,
  noModelSettings,
  type OwnPrice,
  priceUsage,
} from './registry/price-usage';
export { sameFamily, sameModel } from './registry/same-model';
export { readModelSpec } from './registry/spec';
