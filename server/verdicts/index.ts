export { type FullVerdict, getVerdict, getVerdictPage, loadVerdicts, type PendingVerdict, type VerdictPageData } from './get';
export { listFilterValues, listVerdicts, type VerdictPage } from './list';
export { createLiveVerdicts, type LiveVerdicts } from './live';
export type { VerdictRow } from './rows';
export { getIntegrityState, type IntegrityState, requireVerifier, updateSettings } from './settings';
export { type ModelSummary, type OutcomeCounts, type Overview, summariseProject } from './summarise';
export { verifyNow } from './verify-now';
export { verificationReply } from './wire';
export { workThrough } from './work-through';
