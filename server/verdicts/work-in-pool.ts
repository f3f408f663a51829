import { z } from 'zod';
import { allParts, type Ctx } from '../platform';
import { OverBudget, type Pool, ThreadLost } from '../pool';
import { assembleVerifier, type ClaimedWork, failWork, renewLeases } from '../queue';
import { isUnread } from './rule-subjects/verify-rule-subjects';
import type { SpentOrder, WorkNote, WorkOrder } from './serve-work';

const Work = z.object({
  projectId: z.string(),
  id: z.string(),
  subjectKind: z.string(),
  subjectId: z.string(),
  revision: z.number(),
  verifier: z.string(),
  rule: z.string().nullable(),
  fence: z.number(),
  attempts: z.number(),
  createdAt: z.coerce.date(),
});

/** The current work of a thread, from its report; null if there is none. */
export function workOf(subject: unknown): ClaimedWork | null {
  const read = Work.safeParse(subject);
  return read.success ? read.data : null;
}

export interface WorkInPool {
  readonly owner: string;
  readonly claimed: readonly ClaimedWork[];
  /** As in `workThrough`. */
  readonly onClaimed: (more: readonly ClaimedWork[]) => void;
}

/**
 * The pool tenant for all batches of a worker: a batch contains an equal share of work of each
 * project.
 */
const LANE = 'lane';
/**
 * A subject of a batch has twenty times the processor time of a request: no caller waits for it,
 * and the sources of received turns may be large. 4 MB with a figure in every second character take
 * 8 to 10 s.
 */
const LANE_FACTOR = 20;

/**
 * Runs a batch of claimed work in a pool thread. A subject that uses up its processor time
 * is settled as over budget; a subject that crashes its thread fails its attempt. The rest of the
 * batch continues.
 * @returns the milliseconds that threads worked on the batch, without the time until a thread was
 * loaded or free
 * @throws on storage faults
 */
export async function workInPool(
  ctx: Ctx,
  pool: Pool,
  { owner, claimed, onClaimed }: WorkInPool,
): Promise<number> {
  let left = claimed;
  let admitted = false;
  const onNote = (note: unknown): void => {
    const workNote = note as WorkNote;
    if (workNote === 'admitted') admitted = true;
    else {
      left = [...left, ...workNote.planned];
      onClaimed(workNote.planned);
    }
  };
  while (left.length > 0) {
    try {
      const input: WorkOrder = { claimed: left, admitted };
      return await pool.run<number>({
        service: 'work',
        input,
        projectId: LANE,
        work: left.length,
        budgetFactor: LANE_FACTOR,
        onNote,
      });
    } catch (error) {
      const work =
        error instanceof OverBudget || error instanceof ThreadLost ? workOf(error.subject) : null;
      if (work === null) throw error;
      if (error instanceof OverBudget)
        await settleOverBudget(ctx, pool, { owner, work, spent: error.part });
      else if (error instanceof Error) await failWork(ctx, owner, work, error.message);
      const owned = await renewLeases(ctx, owner, left);
      left = left.filter(({ id }) => id !== work.id && owned.has(id));
    }
  }
  return 0;
}

/**
 * Settles a subject that used up its processor time: the node that used it up fails, and so do all
 * later nodes. If no verdict is possible without them, the attempt fails and the result is false.
 * @throws on storage faults
 */
export async function settleOverBudget(
  ctx: Ctx,
  pool: Pool,
  { owner, work, spent }: SpentOrder & { readonly owner: string },
): Promise<boolean> {
  const fail = async (reason: string): Promise<boolean> => {
    await failWork(ctx, owner, work, reason);
    return false;
  };
  if (work.verifier === assembleVerifier || isUnread(work))
    return fail(`over budget: ${spent} used up the processor time of one subject`);
  try {
    await pool.run({
      service: 'settle',
      input: { work, spent } satisfies SpentOrder,
      projectId: work.projectId,
      work: 1,
      budgetFactor: LANE_FACTOR,
    });
    return true;
  } catch (error) {
    if (error instanceof OverBudget && spent !== allParts)
      return settleOverBudget(ctx, pool, { owner, work, spent: allParts });
    if (error instanceof OverBudget || error instanceof ThreadLost) return fail(error.message);
    throw error;
  }
}
