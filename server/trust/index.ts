export { listTrust, listTrustChanges } from './list-trust';
export { lookWhereDue } from './look-due';
export { putTrustSettings, type PutTrustSettings } from './put-trust-settings';
