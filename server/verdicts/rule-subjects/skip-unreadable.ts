import type { Ctx } from '../../platform';
import { type ClaimedWork, dropWork } from '../../queue';
import { loadTurns, turnKey } from '../../ingest';
import { storeVerdictsBisecting } from '../store-verdicts-bisecting';
import { skippedSettlement } from '../subjects/decide-subject';
import { loadJudging } from '../subjects/judging';
import type { SubjectDeps } from '../subjects/subject-deps';
import { turnItem } from '../work-items';
import type { Settlement } from '../settle';

/** Claimed work of no rule on a turn from which its verifier reads no subject. */
export interface Unreadable {
  readonly work: ClaimedWork;
  readonly reason: string;
}

/**
 * Stores a skipped verdict with the reason: work of a rule has a decision for this, work of a route
 * has not. @throws on storage faults
 */
export async function skipUnreadable(
  ctx: Ctx,
  deps: SubjectDeps,
  owner: string,
  unreadable: readonly Unreadable[],
): Promise<void> {
  if (unreadable.length === 0) return;
  const turns = await loadTurns(
    ctx,
    unreadable.map(({ work }) => work),
  );
  const settlements: Settlement[] = [];
  for (const { work, reason } of unreadable) {
    const turn = turns.get(turnKey(work.projectId, work.subjectId))?.();
    const judging = await loadJudging(ctx, work.projectId, work.verifier);
    const kind = deps.kinds.get(judging.kind);
    if (turn === undefined || kind === undefined) {
      await dropWork(ctx, owner, work);
      continue;
    }
    const stored = turnItem(work, turn).facts;
    const decision = { state: 'no_subject', reason };
    const excerpt = turn.content.answer.slice(0, 160).toWellFormed();
    settlements.push(
      skippedSettlement({ work, stored, kind }, judging, { decision, detail: {}, excerpt }),
    );
  }
  await storeVerdictsBisecting(ctx, owner, settlements);
}
