export { type Backlog, getBacklog, replayWork } from './backlog';
export { type ClaimedWork, claimWork, extendLease } from './claim';
export { dropWork, failWork, recordRefused, returnWork } from './release';
export { listenForWork } from './listen';
