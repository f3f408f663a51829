import { claimSlowBatch } from '../server/queue';
import type { Runtime } from '../server/runtime';
import { workThrough } from '../server/verdicts';
import { drainWork } from './database';

type Verifying = Pick<Runtime, 'ctx' | 'rules' | 'subjects'>;

/**
 * Verifies until no work is ready in either lane, like a worker but without its delays. Judges are
 * called one after another.
 */
export async function verifyAll(runtime: Runtime, owner = 'all'): Promise<void> {
  do await drainWork(runtime, owner);
  while ((await verifyOnce(runtime, owner)) > 0);
}

/** Runs the ready work of the slow lane once. Returns the number of rows. */
export async function verifyOnce(
  { ctx, rules, subjects }: Verifying,
  owner = 'slow',
): Promise<number> {
  const { signal } = new AbortController();
  const rows = await ctx.sql<{ project_id: string; id: string }[]>`
    select project_id, id from work
    where lane = 'slow' and state = 'waiting' and owner is null and due_at <= now()
    order by created_at, id limit 500`;
  const keys = rows.map(({ project_id: projectId, id }) => ({ projectId, id }));
  const rowsClaimed = await claimSlowBatch(ctx, owner, keys);
  const claimed = rowsClaimed.filter((work) => work !== null);
  for (const work of claimed)
    await workThrough(ctx, { owner, claimed: [work], rules, subjects, signal, asks: true });
  return claimed.length;
}
