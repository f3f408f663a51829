export { type FullVerdict, getVerdict, getVerdictPage, loadVerdicts, type PendingVerdict, type VerdictPageData } from './get';
export { listFilterValues, listVerdicts, type VerdictPage } from './list';
export { createLiveVerdicts, type LiveVerdicts } from './live';
export type { VerdictRow } from './rows';
export { getIntegrityState, type IntegrityState, requireVerifier, updateSettings } from './settings';
export { type ModelSummary, type OutcomeCounts, type Overview, summariseProject } from './summarise';
export { verifyClaimed } from './verify';
export { verifyNow } from './verify-now';
export { verificationReply } from './wire';

/** The verifier that owes every turn a verdict; from the next issue on, rules decide. */
export const standingVerifier = 'integrity';
