import type { ProjectCtx } from '../../access';
import { rate, type Rate } from '../../domain';

const days = 30;

interface Row {
  machine_agreed: number;
  machine_of: number;
  others_agreed: number;
  others_of: number;
}

/**
 * How often this person agreed with the verifier, and with others on the same verdicts, in the
 * review queue in the last 30 days. Undecided verdicts do not count for the first, and verdicts
 * with a single rater do not count for the second. Each other rater counts once per verdict, by the
 * latest ruling.
 */
export async function measureAgreement(
  ctx: ProjectCtx,
): Promise<{ readonly machine: Rate; readonly others: Rate }> {
  const { sql, projectId, actor } = ctx;
  const [row] = await sql<Row[]>`
    with mine as (
      select distinct on (l.verdict_id) l.verdict_id, l.success from labels l
      where l.project_id = ${projectId} and l.created_at > now() - ${days} * interval '1 day' and l.kind = 'override'
        and l.review_item_id is not null and l.created_by = ${actor.label} and l.success is not null
        and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
      order by l.verdict_id, l.created_at desc, l.id desc
    ), machine as (
      select m.success = (v.outcome = 'passed') as agreed from mine m
      join verdicts v on v.project_id = ${projectId} and v.id = m.verdict_id and v.outcome in ('passed', 'failed')
        and v.experiment_id is null
    ), others as (
      select distinct on (m.verdict_id, l.created_by, l.rater) m.success = l.success as agreed from mine m
      join labels l on l.project_id = ${projectId} and l.verdict_id = m.verdict_id
      where l.kind = 'override' and l.success is not null and l.reuses is null
        and (l.created_by <> ${actor.label} or coalesce(l.rater, l.created_by) <> ${actor.label})
        and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
      order by m.verdict_id, l.created_by, l.rater, l.created_at desc, l.id desc
    )
    select (select count(*) filter (where agreed) from machine)::int as machine_agreed, (select count(*) from machine)::int as machine_of,
      (select count(*) filter (where agreed) from others)::int as others_agreed, (select count(*) from others)::int as others_of`;
  return {
    machine: rate(row?.machine_agreed ?? 0, row?.machine_of ?? 0),
    others: rate(row?.others_agreed ?? 0, row?.others_of ?? 0),
  };
}
