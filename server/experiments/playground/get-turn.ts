import type { ProjectCtx } from '../../access';
import { getTurn } from '../../ingest';
import { refused } from '../../platform';
import { readItemContent } from '../datasets/item';

/** The input of a turn, as JSON texts with digits as sent; null if the turn has none. */
export interface PlaygroundTurn {
  readonly id: string;
  readonly input: string | null;
  readonly context: string | null;
  /** The recorded tool calls with their results. */
  readonly tools: string | null;
  readonly model: string | null;
}

/** @throws AssayError not_found, refused (the stored data is damaged) */
export async function getPlaygroundTurn(ctx: ProjectCtx, id: string): Promise<PlaygroundTurn> {
  try {
    const turn = await getTurn(ctx, id);
    const { input, context, tools } = readItemContent(turn.payload);
    return { id, input, context, tools, model: turn.model };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = 'the stored turn cannot be read; open another one';
    throw refused(`id: ${message}`, [{ path: 'id', message }]);
  }
}
