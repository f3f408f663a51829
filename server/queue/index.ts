export { getBacklog, replayWork } from './backlog';
export { type ClaimedWork, claimLostWork, claimWork, extendLease } from './claim';
export { dropWork, failWork, recordRefused, returnWork } from './release';
export { listenForWork } from './listen';
export { cancelJob, createJob, getJob, type Job, type JobError, listJobs, storeJob } from './jobs';
export {
  checkpointJob,
  claimJob,
  type ClaimedJob,
  extendJobLease,
  failJob,
  finishJob,
  type JobProgress,
  type JobStep,
  returnJob,
} from './jobs-claim';
export {
  changeDecisions,
  countDecisions,
  decideHeld,
  deleteDecisions,
  endUndecided,
  enqueueDecided,
  insertDecisions,
  replaceDecisions,
  type UndecidedWork,
} from './decisions';
export {
  assembleVerifier,
  cancelJobs,
  deleteWork,
  endWork,
  freeLeases,
  insertAssembly,
  insertWork,
  postponeWork,
  turnWorkOver,
} from './work-rows';
export {
  refreshesOf,
  endRefreshes,
  insertRefreshes,
  listDueProjects,
  enqueueRefresh,
  postponeDue,
} from './judgement-dues';
export { readJobFile } from './jobs-file';
export { listenForJobs } from './jobs-listen';
export { judgeJob, type JudgeJobData } from './catalogue';
export { handle, type Line, LineAway, openLine } from './line';
export { claimSlowWorks, keepLeases } from './slow-claim';
/** @internal For tests of other rooms. */
export { claimSlowWork } from './slow-claim';
export { forgetHints, freeLostSlowWork, type Hint, hintSlowWork, unhintWork } from './slow-hint';
export { listenForSlowWork, parkWork, passToSlow } from './slow-pass';
export { getSlowLaneState, isSlowLaneAway } from './slow-state';
export { getBoxReport, noteBox, noteBoxEveryMs } from './worker-boxes';
export { createWakeSignal, poll, type WakeSignal } from './poll';
export { readInstallation } from './installation';
export { checkTiming, nextPeriod } from './schedule-periods';
export { type Schedule, type ScheduleKind, type ScheduleKinds, startDue } from './schedules';
/** @internal For tests of other rooms. */
export type { CatchUp } from './schedules';
