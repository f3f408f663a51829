export { listTrust, listTrustChanges } from './list-trust';
export { updateStaleTrust } from './update-stale-trust';
export { putTrustSettings } from './put-trust-settings';
