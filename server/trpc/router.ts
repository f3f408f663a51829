import { accountRouter } from './account';
import { createCallerFactory, router } from './builders';
import { auditRouter, keysRouter, membersRouter, projectsRouter, settingsRouter } from './projects';
import { turnsRouter, verdictsRouter, workRouter } from './verdicts';

export const appRouter = router({
  account: accountRouter,
  projects: projectsRouter,
  keys: keysRouter,
  members: membersRouter,
  settings: settingsRouter,
  audit: auditRouter,
  verdicts: verdictsRouter,
  turns: turnsRouter,
  work: workRouter,
});
export type AppRouter = typeof appRouter;

export const createCaller = createCallerFactory(appRouter);
