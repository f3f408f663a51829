import { classifyStorageError, type Ctx } from '../../platform';
import { type ClaimedWork, endUndecided, type UndecidedWork } from '../../queue';
import { partBySize } from '../../ingest';
import { createRunSource } from '../subjects/run-setting';
import type { SubjectDeps } from '../subjects/subject-deps';
import { loadWorkItems } from '../work-items';

export interface EndWithoutSubject {
  readonly owner: string;
  /** Work of rules with a daily budget. */
  readonly claimed: readonly ClaimedWork[];
}

/**
 * Ends work whose turn cannot be verified before it counts against the daily budget of its rule,
 * since the budget is for verifications. Returns the remaining work, including unreadable work,
 * which the verifier reports. @throws on storage faults
 */
export async function endWithoutSubject(
  ctx: Ctx,
  deps: SubjectDeps,
  { owner, claimed }: EndWithoutSubject,
): Promise<readonly ClaimedWork[]> {
  const runs = createRunSource(ctx, deps);
  const ended: UndecidedWork[] = [];
  for (const part of await partBySize(ctx, claimed)) {
    const items = await loadWorkItems(ctx, part);
    for (const work of part) {
      const load = items.get(work);
      const judging = await runs.judgingOf(work.projectId, work.verifier);
      const kind = deps.kinds.get(judging.kind);
      if (kind === undefined || load === undefined) continue;
      try {
        const item = load();
        if (item.facts.revision !== work.revision) continue;
        const read = item.read(kind, judging);
        if (read.state === 'no_subject') ended.push({ ...read, work, state: 'no_subject' });
      } catch (error) {
        if (classifyStorageError(error) !== 'unknown') throw error;
      }
    }
  }
  await endUndecided(ctx.sql, owner, ended);
  const endedWork = new Set(ended.map(({ work }) => work));
  return claimed.filter((work) => !endedWork.has(work));
}
