import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { anywhere } from '../../platform';

const turnsWhere = ({ sql, projectId }: ProjectCtx, condition: Fragment): Fragment =>
  sql`from turns t where t.project_id = ${projectId} and ${condition} and not t.superseded and t.origin <> 'experiment'`;

/**
 * A query for `input_excerpt` of the first turn in the order of a conversation. @param condition a
 * condition on `t`, the turns
 */
export const firstInput = (ctx: ProjectCtx, condition: Fragment): Fragment => ctx.sql`
  select t.input_excerpt ${turnsWhere(ctx, condition)}
  order by coalesce(t.started_at, t.received_at), length(t.id), t.id limit 1`;

/** Whether the text is in the excerpt of any of the turns. */
export const matchesInput = (ctx: ProjectCtx, condition: Fragment, text: string): Fragment =>
  ctx.sql`exists (select ${turnsWhere(ctx, condition)} and t.input_excerpt ilike ${anywhere(text)})`;
