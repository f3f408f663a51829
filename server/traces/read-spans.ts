import type { ProjectCtx } from '../access';
import { loadSpans, type MergedTrace, traceKey } from './load-trace';

/** The spans of one trace, merged; none where none has come. */
export async function readSpans(ctx: ProjectCtx, traceId: string): Promise<MergedTrace> {
  const { projectId } = ctx;
  const loaded = await loadSpans(ctx, [{ projectId, traceId }]);
  const read = loaded.get(traceKey(projectId, traceId));
  return read === undefined ? { spans: [], conflict: false } : read();
}
