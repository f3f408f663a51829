export { listTrust, listTrustChanges } from './list-trust';
export { recheckTrust } from './recheck-trust';
export { putTrustSettings } from './put-trust-settings';
