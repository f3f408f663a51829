import { lineOf } from '../asking';
import { rederiveBy } from '../rederive';
import type { Kind } from '../kind';
import { TaskBasis, rederiveTask } from './basis';
import { TaskConfig } from './config';
import { awaitPerson } from './describe';
import type { TaskDetail } from './detail';
import { taskFields } from './fields';
import { perturbTask } from './perturb';
import { planTask } from './plan';
import { taskReadings } from './reading';
import { cacheKeyOf, estimateOf, promptSlugOf, textsOf } from './questions';
import { TaskSubject } from './subject';
import { decideTask } from './verdict';
import { showTask } from './content';
import { taskView } from './view';

/**
 * The task verifier: checks that cost nothing first, then judges by a rubric of the caller's
 * criteria (VS-1 to VS-53).
 */
export const task: Kind<TaskSubject, TaskConfig, TaskDetail> = {
  ...taskView,
  showContent: showTask,
  config: TaskConfig,
  fields: taskFields,
  subject: TaskSubject,
  readings: taskReadings,
  excerptOf: ({ task_description, task_output }) =>
    lineOf(task_description === '' ? task_output : task_description),
  promptSlugs: (subject) => (textsOf(subject).length === 0 ? [] : [promptSlugOf(subject)]),
  needsModel: true,
  plan: planTask,
  rederive: rederiveBy(TaskBasis, rederiveTask),
  decide: decideTask,
  awaiting: awaitPerson,
  perturb: perturbTask,
  estimate: estimateOf,
  cacheKey: cacheKeyOf,
};
