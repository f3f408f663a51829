export { listTrust, listTrustChanges } from './list-trust';
export { updateDueTrust } from './update-due-trust';
export { putTrustSettings } from './put-trust-settings';
