import type { Ctx } from '../../platform';
import { openActionsSecret } from '../destination';

/** A destination whose messages have buttons. */
export interface SlackDestination {
  readonly projectId: string;
  readonly projectSlug: string;
  readonly id: string;
  readonly name: string;
  /** Of the incoming webhook: Slack's answers go to the same origin. */
  readonly origin: string;
  /** The signing secret of its Slack app. */
  readonly secret: string;
}

interface Row {
  project_id: string;
  slug: string;
  id: string;
  name: string;
  url: string;
  actions_secret_sealed: string;
}

/**
 * The enabled destination with this id in any project: only the signature of the request shows who
 * sent it. Null if there is none, or none with a signing secret.
 */
export async function findSlackDestination(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  id: string,
): Promise<SlackDestination | null> {
  const [row] = await ctx.sql<Row[]>`
    select d.project_id, p.slug, d.id, d.name, d.url, d.actions_secret_sealed
    from destinations d join projects p on p.id = d.project_id
    where d.id = ${id} and d.actions_secret_sealed is not null and d.kind = 'slack' and d.enabled
    order by d.project_id limit 1`;
  if (row === undefined) return null;
  const secret = openActionsSecret(ctx, row.project_id, {
    id: row.id,
    url: row.url,
    actionsSecretSealed: row.actions_secret_sealed,
  });
  if (secret === null) return null;
  return {
    projectId: row.project_id,
    projectSlug: row.slug,
    id: row.id,
    name: row.name,
    origin: new URL(row.url).origin,
    secret,
  };
}
