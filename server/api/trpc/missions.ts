import { findMission, getJudging, loadMissionSettings, putMissionSettings } from '../../verdicts';
import { GetMissionIn, PutMissionSettingsIn } from '../../verdicts/input';
import { projectProcedure, router } from './builders';

export const missionsRouter = router({
  /** `mission` is null before its first verification: it may still have settings. */
  get: projectProcedure('verdicts.read')
    .input(GetMissionIn)
    .query(async ({ ctx: { project }, input: { mission } }) => {
      const [found, settings, { models }] = await Promise.all([
        findMission(project, mission),
        loadMissionSettings(project, project.projectId, mission),
        getJudging(project),
      ]);
      return { mission: found, settings, models };
    }),
  putSettings: projectProcedure('settings.write')
    .input(PutMissionSettingsIn)
    .mutation(({ ctx, input: { mission, body } }) =>
      putMissionSettings(ctx.project, mission, body),
    ),
});
