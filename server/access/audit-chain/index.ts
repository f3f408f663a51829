export { checkAuditChains, checkNextChain, getChainState, type ChainState } from './check-chains';
export { resealAuditChains } from './reseal-chains';
export { sealAuditEvents } from './seal-events';
