import { accountRouter } from './account';
import { createCallerFactory, router } from './builders';
import { auditRouter, keysRouter, membersRouter, projectsRouter, settingsRouter } from './projects';
import { sessionsRouter, tracesRouter } from './traces';
import { turnsRouter } from './turns';
import { verdictsRouter, workRouter } from './verdicts';

export const appRouter = router({
  account: accountRouter,
  projects: projectsRouter,
  keys: keysRouter,
  members: membersRouter,
  settings: settingsRouter,
  audit: auditRouter,
  verdicts: verdictsRouter,
  turns: turnsRouter,
  traces: tracesRouter,
  sessions: sessionsRouter,
  work: workRouter,
});
export type AppRouter = typeof appRouter;

export const createCaller = createCallerFactory(appRouter);
