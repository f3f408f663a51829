import { accountRouter } from './account';
import { createCallerFactory, router } from './builders';
import { calibrationRouter } from './calibration';
import { checkpointsRouter } from './checkpoints';
import { destinationsRouter } from './destinations';
import { gatewayRouter } from './gateway';
import { labelsRouter } from './labels';
import { auditRouter, keysRouter, membersRouter, projectsRouter, settingsRouter } from './projects';
import { modelsRouter } from './models';
import { promptsRouter } from './prompts';
import { providersRouter } from './providers';
import { reviewRouter } from './review';
import { decisionsRouter, jobsRouter, rulesRouter } from './rules';
import { thresholdsRouter } from './thresholds';
import { sessionsRouter, tracesRouter } from './traces';
import { turnsRouter } from './turns';
import { verdictsRouter, workRouter } from './verdicts';
import { verifiersRouter } from './verifiers';

export const appRouter = router({
  account: accountRouter,
  projects: projectsRouter,
  keys: keysRouter,
  members: membersRouter,
  settings: settingsRouter,
  audit: auditRouter,
  verdicts: verdictsRouter,
  labels: labelsRouter,
  calibration: calibrationRouter,
  review: reviewRouter,
  turns: turnsRouter,
  traces: tracesRouter,
  sessions: sessionsRouter,
  checkpoints: checkpointsRouter,
  gateway: gatewayRouter,
  work: workRouter,
  rules: rulesRouter,
  decisions: decisionsRouter,
  jobs: jobsRouter,
  prompts: promptsRouter,
  providers: providersRouter,
  destinations: destinationsRouter,
  thresholds: thresholdsRouter,
  verifiers: verifiersRouter,
  models: modelsRouter,
});
export type AppRouter = typeof appRouter;

export const createCaller = createCallerFactory(appRouter);
