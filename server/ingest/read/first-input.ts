import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { anywhere } from '../../platform';

const turnsWhere = ({ sql, projectId }: ProjectCtx, which: Fragment): Fragment =>
  sql`from turns t where t.project_id = ${projectId} and ${which} and not t.superseded and t.origin <> 'experiment'`;

/**
 * A query for `input_excerpt` of the first turn in the order of a conversation. @param which a
 * condition on `t`, the turns
 */
export const firstInput = (ctx: ProjectCtx, which: Fragment): Fragment => ctx.sql`
  select t.input_excerpt ${turnsWhere(ctx, which)}
  order by coalesce(t.started_at, t.received_at), length(t.id), t.id limit 1`;

/** Whether the text is in the excerpt of any of the turns. */
export const matchesInput = (ctx: ProjectCtx, which: Fragment, text: string): Fragment =>
  ctx.sql`exists (select ${turnsWhere(ctx, which)} and t.input_excerpt ilike ${anywhere(text)})`;
