import { lineOf } from '../asking';
import { rederiveBy } from '../rederive';
import type { Kind } from '../kind';
import { MissionBasis, rederiveMission } from './basis';
import { missionFields } from './fields';
import { perturbMission } from './perturb';
import { estimateMission, planMission, PROMPT } from './plan';
import { missionReadings } from './reading';
import { MissionConfig, type MissionDetail, MissionSubject } from './subject';
import { decideMission } from './verdict';
import { showMission } from './content';
import { missionView } from './view';

/** Whether the tasks of a mission together reach its goal, and which are the weakest (VS-17). */
export const mission: Kind<MissionSubject, MissionConfig, MissionDetail> = {
  ...missionView,
  showContent: showMission,
  config: MissionConfig,
  fields: missionFields,
  subject: MissionSubject,
  readings: missionReadings,
  references: {
    of: ({ tasks }) =>
      tasks.flatMap(({ verification_id: id }, i) =>
        id === null ? [] : [{ id, path: `tasks[${i}].verification_id` }],
      ),
    fill: ({ tasks, ...whole }, found) => ({
      ...whole,
      tasks: tasks.map((each) => ({
        ...each,
        ...(each.verification_id === null ? undefined : found.get(each.verification_id)),
      })),
    }),
  },
  excerptOf: ({ description }) => lineOf(description),
  promptSlugs: () => [PROMPT],
  estimate: estimateMission,
  // There is no cache key, since a mission is judged once, when it ends.
  cacheKey: () => null,
  plan: planMission,
  rederive: rederiveBy(MissionBasis, rederiveMission),
  decide: decideMission,
  perturb: perturbMission,
};
