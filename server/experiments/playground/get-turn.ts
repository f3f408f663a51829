import type { ProjectCtx } from '../../access';
import { getTurn } from '../../ingest';
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
  const turn = await getTurn(ctx, id);
  const { input, context, tools } = readItemContent(turn.payload);
  return { id, input, context, tools, model: turn.model };
}
