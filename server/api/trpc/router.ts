import { accountRouter } from './account';
import { alertsRouter } from './alerts';
import { createCallerFactory, router } from './builders';
import { calibrationRouter } from './calibration';
import { chartsRouter } from './charts';
import { checkpointsRouter } from './checkpoints';
import { dataRouter } from './data';
import { datasetsRouter } from './datasets';
import { destinationsRouter } from './destinations';
import { experimentsRouter } from './experiments';
import { gatewayRouter } from './gateway';
import { labelsRouter } from './labels';
import { auditRouter, keysRouter, membersRouter, projectsRouter, settingsRouter } from './projects';
import { missionsRouter } from './missions';
import { modelsRouter } from './models';
import { playgroundRouter } from './playground';
import { probesRouter } from './probes';
import { promotionsRouter } from './promotions';
import { promptsRouter } from './prompts';
import { providersRouter } from './providers';
import { reportsRouter } from './reports';
import { reviewRouter } from './review';
import { decisionsRouter, jobsRouter, rulesRouter } from './rules';
import { searchRouter } from './search';
import { slackRouter } from './slack';
import { thresholdsRouter } from './thresholds';
import { setupRouter } from './setup';
import { sessionsRouter, tracesRouter } from './traces';
import { trustRouter } from './trust';
import { turnsRouter } from './turns';
import { verdictsRouter, workRouter } from './verdicts';
import { verifiersRouter } from './verifiers';
import { viewsRouter } from './views';

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
  experiments: experimentsRouter,
  gateway: gatewayRouter,
  work: workRouter,
  rules: rulesRouter,
  decisions: decisionsRouter,
  jobs: jobsRouter,
  playground: playgroundRouter,
  probes: probesRouter,
  prompts: promptsRouter,
  promotions: promotionsRouter,
  providers: providersRouter,
  data: dataRouter,
  datasets: datasetsRouter,
  destinations: destinationsRouter,
  slack: slackRouter,
  thresholds: thresholdsRouter,
  trust: trustRouter,
  verifiers: verifiersRouter,
  missions: missionsRouter,
  models: modelsRouter,
  charts: chartsRouter,
  search: searchRouter,
  views: viewsRouter,
  alerts: alertsRouter,
  reports: reportsRouter,
  setup: setupRouter,
});
export type AppRouter = typeof appRouter;

export const createCaller = createCallerFactory(appRouter);
