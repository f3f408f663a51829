export { listTrust, listTrustChanges } from './list-trust';
export { lookWhereDue } from './look-due';
export { putTrustSettings } from './put-trust-settings';
