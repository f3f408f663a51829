import type { ProjectCtx } from '../access';

/**
 * It is read again after so long: what was counted before a deletion is honoured no longer, by any
 * process.
 */
const freshMs = 1_000;
const marksMost = 1_000;
const marks = new Map<string, { readonly mark: string; readonly readAt: number }>();

/**
 * Changes with every deletion in the project that was carried out. What is kept of days that are
 * over is kept under it: a deletion is the one thing that takes something away from such a day.
 */
export async function readDeletionMark({ sql, projectId, clock }: ProjectCtx): Promise<string> {
  const known = marks.get(projectId);
  const now = clock.monotonicMs();
  if (known !== undefined && now - known.readAt < freshMs) return known.mark;
  const [row] = await sql<
    { mark: string | null }[]
  >`select max(done_at)::text as mark from deletions where project_id = ${projectId}`;
  const mark = row?.mark ?? '';
  if (marks.size >= marksMost) marks.delete(marks.keys().next().value ?? '');
  marks.set(projectId, { mark, readAt: now });
  return mark;
}
