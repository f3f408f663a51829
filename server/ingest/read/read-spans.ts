import type { ProjectCtx } from '../../access';
import { loadSpans, type MergedTrace, traceKey } from '../assembly/load-trace';

/** The spans of one trace, merged; empty if none has been received. */
export function readSpans(
  ctx: Pick<ProjectCtx, 'sql' | 'projectId'>,
  traceId: string,
): Promise<MergedTrace['spans']> {
  return readFiltered(ctx, traceId, null);
}

/**
 * One span, merged; null if it has not been received. Of a large trace only the segments that name
 * it are read.
 */
export async function findSpan(
  ctx: ProjectCtx,
  traceId: string,
  spanId: string,
): Promise<MergedTrace['spans'][number] | null> {
  const near = await readFiltered(ctx, traceId, spanId);
  const found = near.find((span) => span.spanId === spanId);
  if (found !== undefined) return found;
  // A client may have written its id in mixed case.
  return (await readSpans(ctx, traceId)).find((span) => span.spanId === spanId) ?? null;
}

async function readFiltered(
  ctx: Pick<ProjectCtx, 'sql' | 'projectId'>,
  traceId: string,
  spanId: string | null,
): Promise<MergedTrace['spans']> {
  const { projectId } = ctx;
  // A separately sent turn may name its trace by any text; only spans have ids of this form.
  if (!/^[0-9a-f]{32}$/.test(traceId)) return [];
  const loaded = await loadSpans(ctx, [{ projectId, traceId }], spanId);
  const read = loaded.get(traceKey(projectId, traceId));
  return read === undefined ? [] : (await read()).spans;
}
