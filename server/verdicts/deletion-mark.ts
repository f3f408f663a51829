import type { ProjectCtx } from '../access';

/** How long a mark is cached: after this time, no process uses counts from before a deletion. */
const freshMs = 1_000;
const marksMax = 1_000;
const marks = new Map<string, { readonly mark: string; readonly readAt: number }>();

/**
 * A mark that changes with every completed deletion in the project. It is part of the cache key for
 * the sums of closed days, which only a deletion can reduce.
 */
export async function readDeletionMark({ sql, projectId, clock }: ProjectCtx): Promise<string> {
  const known = marks.get(projectId);
  const now = clock.monotonicMs();
  if (known !== undefined && now - known.readAt < freshMs) return known.mark;
  const [row] = await sql<
    { mark: string | null }[]
  >`select max(done_at)::text as mark from deletions where project_id = ${projectId}`;
  const mark = row?.mark ?? '';
  if (marks.size >= marksMax) marks.delete(marks.keys().next().value ?? '');
  marks.set(projectId, { mark, readAt: now });
  return mark;
}
