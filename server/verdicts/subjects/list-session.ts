import type { Ctx } from '../../platform';
import type { EarlierVerdict } from '../../verifiers';
import type { SubjectFacts } from './load-subjects';

/** The most earlier verdicts that a run can use. */
const max = 50;

interface Row {
  verdict: string | null;
  score: number | null;
  detail: unknown;
  created_at: string;
}

/**
 * The other verdicts of the subject's kind in its session, newest first; empty if it has no
 * session.
 */
export async function listSession(
  ctx: Pick<Ctx, 'sql'>,
  { projectId, kind, id, sessionId }: SubjectFacts,
): Promise<EarlierVerdict[]> {
  if (sessionId === null) return [];
  const rows = await ctx.sql<Row[]>`
    select verdict, score, detail, created_at from verdicts
    where project_id = ${projectId} and kind = ${kind} and session_id = ${sessionId} and subject_id <> ${id} and experiment_id is null
    order by created_at desc, id desc limit ${max}`;
  return rows.map((row) => ({
    verdict: row.verdict,
    score: row.score,
    detail: row.detail,
    createdAt: new Date(row.created_at),
  }));
}
