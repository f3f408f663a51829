export { type Actor, enterProject, type ProjectCtx } from './actor';
export { findLastChange, listAudit, recordAudit } from './audit';
export {
  checkAuditChains,
  checkNextChain,
  sealAuditEvents,
} from './audit-chain';
export {
  changePassword,
  issuePasswordLink,
  issuePasswordLinkByEmail,
  resetPassword,
} from './change-password';
export {
  createOwner,
  getClaimState,
  inviteMember,
  issueOwnerLink,
  revokeInvitation,
  useClaim,
} from './claims';
export { createKeyCheck, type KeyCheck } from './key-cache';
export { isReadableRun, isReadableTurn, mayReadHeldOut, showsHeldOut } from './held-out';
export { createKey, expiryFault, listKeys, parseKey, revokeKey } from './keys';
export { listLiveKeys, type LiveKey, matchKey, recordKeysUsed } from './live-keys';
export { listMembers } from './list-members';
export { changeRole, removeMember } from './members';
export {
  createProject,
  createSimulatedProject,
  assignToOperator,
  listProjects,
  openProject,
  openProjectAsSystem,
} from './projects';
export { type Permission, permissionsOf, type KeyScope } from './roles';
/** @internal For tests of other modules. */
export type { Role } from './roles';
export { rotateKey } from './rotate-key';
export { canUsePasskeys, listPasskeys } from './passkeys';
export { hasSecondFactor, turnOffSecondFactor } from './second-factor';
export { requireScope } from './require-scope';
export { rewrapSecrets } from './rewrap-secrets';
export { listViews, removeView, renameView, saveView } from './saved-views';
export { openSecret, type SecretPlace, sealSecret } from './seal';
export { createServiceAccount, removeServiceAccount } from './service-accounts';
export { ssoCallbackPath } from './single-sign-on';
export { simulatedTime } from './simulated-time';
export { createSessions, type UserSessions, type SignedIn } from './sessions';
export { closeProject, deleteProject, deleteViewsOf, eraseAuditTexts } from './erase';
