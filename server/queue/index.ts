export { type Backlog, getBacklog, replayWork } from './backlog';
export { type ClaimedWork, claimWork, extendLease, maxAttempts, maxDeaths } from './claim';
export { dropWork, failWork, recordRefused, returnWork } from './release';
export { listenForWork } from './listen';
