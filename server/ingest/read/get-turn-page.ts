import type { ProjectCtx } from '../../access';
import { loadScores, type SentScore } from './get-trace';
import { getTurn, type StoredTurn } from './get-turn';
import { loadMarks, type TurnMark } from './marks';

/** A turn with its results. */
export interface TurnPageData {
  readonly turn: StoredTurn & { readonly hasOriginal: boolean };
  readonly origin: string;
  readonly spanId: string | null;
  readonly superseded: boolean;
  /** Its trace has spans to show. */
  readonly hasSpans: boolean;
  readonly marks: readonly TurnMark[];
  readonly scores: readonly SentScore[];
}

/**
 * The complete page of a turn except the decisions about it. @throws AssayError not_found, also for
 * another project's
 */
export async function getTurnPage(ctx: ProjectCtx, id: string): Promise<TurnPageData> {
  const { sql, projectId } = ctx;
  const turn = await getTurn(ctx, id);
  const [[row], marks, scores] = await Promise.all([
    sql<
      {
        origin: string;
        span_id: string | null;
        superseded: boolean;
        original: boolean;
        traced: boolean;
      }[]
    >`
      select t.origin, t.span_id, t.superseded,
        exists (select 1 from turn_originals o where o.project_id = t.project_id and o.turn_id = t.id) as original,
        exists (select 1 from traces c where c.project_id = t.project_id and c.id = t.trace_id) as traced
      from turns t where t.project_id = ${projectId} and t.id = ${id}`,
    loadMarks(ctx, [id]),
    loadScores(ctx, null, id),
  ]);
  return {
    turn: { ...turn, hasOriginal: row?.original ?? false },
    origin: row?.origin ?? 'api',
    spanId: row?.span_id ?? null,
    superseded: row?.superseded ?? false,
    hasSpans: row?.traced ?? false,
    marks: marks.get(id) ?? [],
    scores,
  };
}
