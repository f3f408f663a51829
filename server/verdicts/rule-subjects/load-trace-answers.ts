import type { Ctx } from '../../platform';
import type { ClaimedWork } from '../../queue';
import { loadTurnsWithin, type StoredTurn } from '../../ingest';

/**
 * Traces, each in the form of one turn: the last answer, with the tool results and context blocks
 * of all its turns. Traces without turns are omitted.
 */
export async function loadTraceAnswers<
  Key extends Pick<ClaimedWork, 'projectId' | 'subjectKind' | 'subjectId'>,
>(ctx: Pick<Ctx, 'sql'>, claimed: readonly Key[]): Promise<ReadonlyMap<Key, StoredTurn>> {
  const found = new Map<Key, StoredTurn>();
  for (const work of claimed) {
    if (work.subjectKind !== 'trace') continue;
    const { projectId, subjectId: id } = work;
    const [row] = await ctx.sql<{ revision: number }[]>`
      select revision from traces where project_id = ${projectId} and id = ${id}`;
    const turns = await loadTurnsWithin(ctx, { projectId, within: 'trace', id });
    const last = turns.at(-1);
    if (row === undefined || last === undefined) continue;
    found.set(work, {
      ...last,
      id,
      revision: row.revision,
      content: {
        ...last.content,
        clientId: null,
        gateway: null,
        tools: turns.flatMap(({ content }) => content.tools),
        context: turns.flatMap(({ content }) => content.context),
      },
    });
  }
  return found;
}
