export { faultText, flagFault } from './admin-faults';
export { createBriefCache } from './brief-cache';
export { joinStatements } from './joined-statements';
export { type Clock, systemClock } from './clock';
export { dataHeaders } from './data-headers';
export { allParts, type Budget, type Ctx, type Database } from './context';
export { type Env, environment, readEnv } from './env';
export type { SingleSignOnEnv } from './sso-env';
export {
  AssayError,
  conflict,
  type ErrorCode,
  type ErrorDetail,
  errorText,
  forbidden,
  invalid,
  issueDetails,
  notFound,
  notJson,
  rateLimited,
  refused,
  tooLarge,
  unauthorized,
  unavailable,
} from './errors';
export {
  guardedConnector,
  guardedFetch,
  OutboundError,
  type OutboundReply,
  type Resolve,
} from './guarded-fetch';
export {
  checkOutboundHeaders,
  checkOutboundUrl,
  outboundPolicy,
  type OutboundPolicy,
} from './outbound-policy';
export { derivedId, newId, newSecret, sha256 } from './ids';
export { anywhere, cursorAt, readCursor } from './keyset';
export { asSentence, fieldSentence, pathText } from './field-text';
export { createLog, type Logger } from './log';
export { nearestName, unknownName } from './nearest-name';
export {
  asAssayError,
  classifyStorageError,
  internalMessage,
  isStatementTimeout,
} from './storage-errors';
export { pingStorage } from './ping';
export { countStorageRetries, storeBisecting } from './store-bisecting';
export { notifyChanged, notifyChangedIn } from './notify-changed';
export {
  deletedMessage,
  deletionChannel,
  deletionId,
  findDeletedSubjects,
  isDeleted,
  userKey,
  userOf,
} from './tombstones';
export { recordPeers, sourceOf } from './peer';
export { misspeltMembers, unknownMembers, unknownParameters } from './unknown-members';
