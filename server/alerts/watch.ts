import { enterProject, type ProjectCtx } from '../access';
import { claimDeliveries, sendDeliveries } from '../deliveries';
import { type Ctx, newSecret } from '../platform';
import { poll } from '../queue';
import { claimLook, claimLookNow, endLook, type LookTimes, lookTimes } from './claim-look';
import { lookAtAlerts } from './look';

const watcher = { kind: 'system', id: 'alerts', label: 'alerts' } as const;

export interface WatchOptions {
  readonly signal: AbortSignal;
  /**
   * This process is no worker: it looks only where no worker has for a while, and sends what it
   * then has to tell.
   */
  readonly standIn: boolean;
  readonly times?: LookTimes;
  /** How often it is asked whether anything is due. */
  readonly pollMs?: number;
}

/**
 * Looks at the alerts of all projects until `signal` ends it. Any number of processes may: a look
 * is one's, and told once.
 */
export async function watchAlerts(
  ctx: Ctx,
  { signal, standIn, times = lookTimes, pollMs = 5_000 }: WatchOptions,
): Promise<void> {
  const owner = `alerts ${newSecret(4)}`;
  await poll(ctx, {
    name: 'alerts',
    signal,
    claim: async () => {
      const looked = await lookAtDue(ctx, { signal, standIn, times });
      if (standIn && (looked > 0 || (await standsIn(ctx)))) await sendNotices(ctx, owner, signal);
      return null;
    },
    idleMs: pollMs,
  });
}

/**
 * One look at each project that is due, and no second one, so that it ends however long looks take.
 * What fails for one is logged, and looked at again the next time. Returns how many were looked at.
 */
async function lookAtDue(
  ctx: Ctx,
  { signal, standIn, times = lookTimes }: Omit<WatchOptions, 'pollMs'>,
): Promise<number> {
  const looked = new Set<string>();
  while (!signal.aborted) {
    const claimed = await claimLook(ctx, standIn, times);
    if (claimed === null) break;
    if (claimed === 'lost') continue;
    const again = looked.has(claimed.project.id);
    looked.add(claimed.project.id);
    try {
      await lookAtAlerts(enterProject(ctx, claimed.project, watcher), claimed.fence);
    } catch (error) {
      ctx.log.warn({ err: error, project: claimed.project.id }, 'alerts: not looked at');
    } finally {
      await endLook(ctx, claimed);
    }
    if (again) break;
  }
  return looked.size;
}

/** Looks at one project at once. */
export async function lookNow(project: ProjectCtx): Promise<void> {
  const fence = await claimLookNow(project);
  try {
    await lookAtAlerts(project, fence);
  } finally {
    await endLook(project, { project: { id: project.projectId }, fence });
  }
}

/** Whether the last looks were made by processes that are no workers: then no one else sends. */
async function standsIn({ sql }: Pick<Ctx, 'sql'>): Promise<boolean> {
  const [row] = await sql<{ stands: boolean }[]>`
    select exists (select from alert_looks where stand_in) and not exists (select from alert_looks where not stand_in and looked_at > now() - interval '2 minutes') as stands`;
  return row?.stands ?? false;
}

/** Notices that are due, and no verdicts: those may wait for a worker. */
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
