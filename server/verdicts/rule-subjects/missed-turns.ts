import type { Ctx } from '../../platform';
import type { ClaimedWork } from '../../queue';

/**
 * The turns that a rule with `every` skips, and why. Turns of a session count in the order in which
 * they were received, as at the gateway; a turn without a session counts as the first of a session.
 */
export async function missedTurns(
  { sql }: Pick<Ctx, 'sql'>,
  counted: readonly { readonly work: ClaimedWork; readonly every: number }[],
): Promise<ReadonlyMap<ClaimedWork, string>> {
  if (counted.length === 0) return new Map();
  const keys = counted.map(({ work }, n) => ({ n, p: work.projectId, i: work.subjectId }));
  const rows = await sql<{ n: number; place: number }[]>`
    select k.n, coalesce((
      select count(*)::int from turns e
      where e.project_id = t.project_id and e.session_id = t.session_id and e.origin <> 'experiment'
        and (e.received_at, e.id) <= (t.received_at, t.id)
    ), 1) as place
    from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb) as k(n int, p text, i text)
    cross join lateral (
      select project_id, id, session_id, received_at from turns
      where project_id = k.p and id = k.i and origin <> 'experiment' limit 1
    ) as t`;
  const missed = new Map<ClaimedWork, string>();
  for (const { n, place } of rows) {
    const each = counted[n];
    if (each === undefined) continue;
    // For a turn without a session, the condition above is `null = null`, so that the count is 0.
    const ordinal = Math.max(1, place);
    if (ordinal % each.every !== 0)
      missed.set(each.work, `turn ${ordinal} of its session; every ${each.every}. is taken`);
  }
  return missed;
}
