export { getBacklog, replayWork } from './backlog';
export { type ClaimedWork, claimLostWork, claimWork, extendLease } from './claim';
export { dropWork, failWork, recordRefused, returnWork } from './release';
export { listenForWork } from './listen';
export {
  awaitJob,
  cancelJob,
  createJob,
  deleteJob,
  getJob,
  type Job,
  type JobError,
  listJobs,
  pruneJobs,
  storeJob,
} from './jobs';
export {
  saveJobProgress,
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
  completeRunDecisions,
  countDecisions,
  resolveAwaiting,
  deleteDecisions,
  endUndecided,
  enqueueWithDecisions,
  insertDecisions,
  updateDecisions,
  type UndecidedWork,
} from './decisions';
export {
  assembleVerifier,
  cancelJobs,
  deleteWork,
  dropExperimentWork,
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
  listProjectsToRefresh,
  enqueueRefresh,
  postponeRefreshes,
} from './refresh-queue';
export { readJobFile } from './jobs-file';
export { listenForJobs } from './jobs-listen';
export { judgeJob, type JudgeJobData } from './catalogue';
export { handle, type JobQueue, QueueUnavailable, openJobQueue } from './job-queue';
export { claimSlowBatch, renewLeases } from './slow-claim';
/** @internal For tests of other modules. */
export { claimSlowWork } from './slow-claim';
export {
  republishAll,
  freeLostSlowWork,
  type RowToPublish,
  markPublished,
  unpublishWork,
} from './publish-slow';
export { listenForSlowWork, parkWork, moveToSlowLane } from './slow-pass';
export { getSlowLaneState, isSlowLaneUnavailable } from './slow-state';
export { getBoxReport, storeBoxReport, boxReportEveryMs } from './worker-boxes';
export { createWakeSignal, poll, type WakeSignal } from './poll';
export { readRedisFacts, type RedisFacts, warnOfEviction } from './redis-facts';
export { type Installation, readInstallation } from './installation';
export { checkTiming, nextPeriod } from './schedule-periods';
export {
  type Schedule,
  type ScheduleKind,
  type ScheduleKinds,
  startScheduledJobs,
} from './schedules';
/** @internal For tests of other modules. */
export type { CatchUp } from './schedules';
