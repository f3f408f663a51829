import type { FollowCosts } from '../../ingest';

/** Subjects that rules read from turns and traces follow when their costs are recomputed. */
export const followCosts: FollowCosts = async ({ sql, projectId }, { of, ids }) => {
  if (ids.length === 0) return;
  const wanted = sql`(select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`;
  await (of === 'turns'
    ? sql`
        update subjects s set cost_usd = t.cost_usd from turns t
        where s.project_id = ${projectId} and s.turn_id in ${wanted}
          and t.project_id = s.project_id and t.id = s.turn_id and s.cost_usd is distinct from t.cost_usd`
    : sql`
        update subjects s set cost_usd = c.cost_usd from traces c
        where s.project_id = ${projectId} and s.id in ${wanted} and s.id = s.trace_id and s.turn_id is null
          and c.project_id = s.project_id and c.id = s.trace_id and s.cost_usd is distinct from c.cost_usd`);
};
