import { enterProject, type ProjectCtx } from '../access';
import { claimDeliveries, sendDeliveries } from '../deliveries';
import { type Ctx, newSecret } from '../platform';
import { poll } from '../queue';
import { claimCheck, claimCheckNow, endCheck, type CheckTimes, checkTimes } from './claim-check';
import { checkAlerts } from './check-alerts';

const watcher = { kind: 'system', id: 'alerts', label: 'alerts' } as const;

export interface WatchOptions {
  readonly signal: AbortSignal;
  /**
   * Whether this process is not a worker. It then checks only if no worker has checked for a while,
   * and sends the resulting notices itself.
   */
  readonly isSubstitute: boolean;
  readonly times?: CheckTimes;
  /** Interval between searches for projects that need a check. */
  readonly pollMs?: number;
}

/**
 * Checks the alerts of all projects until `signal` aborts. Any number of processes may run this:
 * each check runs once, and its notices are sent once.
 */
export async function watchAlerts(
  ctx: Ctx,
  { signal, isSubstitute, times = checkTimes, pollMs = 5_000 }: WatchOptions,
): Promise<void> {
  const owner = `alerts ${newSecret(4)}`;
  await poll(ctx, {
    name: 'alerts',
    signal,
    claim: async () => {
      const checkedCount = await checkProjects(ctx, { signal, isSubstitute, times });
      if (isSubstitute && (checkedCount > 0 || (await isWorkerAbsent(ctx))))
        await sendNotices(ctx, owner, signal);
      return null;
    },
    idleMs: pollMs,
  });
}

/**
 * Checks each project that needs a check, and returns their number. It ends when a project needs a
 * second check, so that slow checks cannot prolong it forever. If a check fails, it logs the error
 * and the project is checked again at the next interval.
 */
async function checkProjects(
  ctx: Ctx,
  { signal, isSubstitute, times = checkTimes }: Omit<WatchOptions, 'pollMs'>,
): Promise<number> {
  const checkedProjects = new Set<string>();
  while (!signal.aborted) {
    const claimed = await claimCheck(ctx, isSubstitute, times);
    if (claimed === null) break;
    if (claimed === 'lost') continue;
    const isRepeated = checkedProjects.has(claimed.project.id);
    checkedProjects.add(claimed.project.id);
    try {
      await checkAlerts(enterProject(ctx, claimed.project, watcher), claimed.fence);
    } catch (error) {
      ctx.log.warn({ err: error, project: claimed.project.id }, 'alerts: check failed');
    } finally {
      await endCheck(ctx, claimed);
    }
    if (isRepeated) break;
  }
  return checkedProjects.size;
}

/** Checks one project immediately. */
export async function checkAlertsNow(project: ProjectCtx): Promise<void> {
  const fence = await claimCheckNow(project);
  try {
    await checkAlerts(project, fence);
  } finally {
    await endCheck(project, { project: { id: project.projectId }, fence });
  }
}

/**
 * Whether substitutes have checked and no worker has for two minutes. Substitutes must then send
 * the notices.
 */
async function isWorkerAbsent({ sql }: Pick<Ctx, 'sql'>): Promise<boolean> {
  const [row] = await sql<{ is_absent: boolean }[]>`
    select exists (select from alert_looks where stand_in) and not exists (select from alert_looks where not stand_in and looked_at > now() - interval '2 minutes') as is_absent`;
  return row?.is_absent ?? false;
}

/** Sends pending notices. Pending verdicts remain for a worker. */
async function sendNotices(ctx: Ctx, owner: string, signal: AbortSignal): Promise<void> {
  const claimed = await claimDeliveries(ctx, { owner, limit: 64, busy: [], noticesOnly: true });
  const destinations = new Set(claimed.map(({ destination }) => destination.id));
  await Promise.all(
    [...destinations].map((id) =>
      sendDeliveries(
        ctx,
        claimed.filter(({ destination }) => destination.id === id),
        signal,
      ),
    ),
  );
}
