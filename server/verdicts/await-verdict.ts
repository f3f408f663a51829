import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectCtx } from '../access';
import { type FullVerdict, getVerdict } from './get';
import type { PendingVerdict } from './pending';

export interface AwaitVerdict {
  /** How long to wait for a pending verdict, milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Whether this id has a verdict yet. */
async function isSettled({ sql, projectId }: ProjectCtx, id: string): Promise<boolean> {
  const rows = await sql`select 1 from verdicts where project_id = ${projectId} and id = ${id}`;
  return rows.length > 0;
}

/** Waits up to `waitMs` for the verdict; false if there is none yet. */
export async function settledWithin(
  ctx: ProjectCtx,
  id: string,
  { waitMs, signal }: AwaitVerdict,
): Promise<boolean> {
  const until = ctx.clock.monotonicMs() + waitMs;
  for (let pauseMs = 10; !signal.aborted; pauseMs = Math.min(pauseMs * 2, 250)) {
    if (await isSettled(ctx, id)) return true;
    const left = until - ctx.clock.monotonicMs();
    if (left <= 0) return false;
    await delay(Math.min(pauseMs, left), undefined, { signal }).catch(() => undefined);
  }
  return false;
}

/** The verdict, after waiting up to `waitMs` for it. @throws AssayError not_found */
export async function awaitVerdict(
  ctx: ProjectCtx,
  id: string,
  input: AwaitVerdict,
): Promise<FullVerdict | PendingVerdict> {
  await settledWithin(ctx, id, input);
  return getVerdict(ctx, id);
}
