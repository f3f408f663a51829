import type { ProjectCtx } from '../../access';
import { loadTurns, turnKey } from '../../ingest';
import { notFound } from '../../platform';
import { readItemContent } from '../datasets/item';

/** What a turn was asked, as JSON texts with digits as sent; null: the turn has none. */
export interface PlaygroundTurn {
  readonly id: string;
  readonly input: string | null;
  readonly context: string | null;
  /** The recorded tool calls with their results. */
  readonly tools: string | null;
  readonly model: string | null;
}

/** @throws AssayError not_found */
export async function getPlaygroundTurn(ctx: ProjectCtx, id: string): Promise<PlaygroundTurn> {
  const { projectId } = ctx;
  const turns = await loadTurns(ctx, [{ projectId, subjectId: id }]);
  const turn = turns.get(turnKey(projectId, id))?.();
  if (turn === undefined) throw notFound('turn');
  const { input, context, tools } = readItemContent(turn.payload);
  return { id, input, context, tools, model: turn.model };
}
