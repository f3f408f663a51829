import type { ProjectCtx } from '../../access';
import { cursorAt, readCursor } from '../../platform';
import type { ReceivedFilters } from '../input';

/** One received item: a stored turn, or rejected input that was kept with its reason. */
export interface ReceivedRow {
  readonly id: string;
  readonly at: Date;
  /**
   * How a turn was sent (`api`, `otlp`, `import`, `gateway`), or the route that rejected the input.
   */
  readonly by: string;
  readonly model: string | null;
  readonly sessionId: string | null;
  /** Why it was rejected; null for a turn. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
}

export interface ReceivedPage {
  readonly items: readonly ReceivedRow[];
  readonly nextCursor: string | null;
}

interface StoredRow {
  id: string;
  at: string;
  placed_at: string;
  by: string;
  model: string | null;
  session_id: string | null;
  code: string | null;
  message: string | null;
}

/**
 * The items that the overview counts as received or as rejected, newest first, by keyset. A project
 * has little rejected input and keeps it briefly, so it needs no separate index. @throws AssayError
 * invalid_request on a foreign cursor
 */
export async function listReceived(
  ctx: ProjectCtx,
  { what, from, to, cursor, limit = 50 }: ReceivedFilters,
): Promise<ReceivedPage> {
  const { sql, projectId } = ctx;
  const after = cursor === undefined ? null : readCursor(cursor);
  const rows = await sql<StoredRow[]>`
    select ${
      what === 'turns'
        ? sql`id, origin as by, model, session_id, null as code, null as message`
        : sql`id, route as by, null as model, null as session_id, code, message`
    },
      received_at as at, to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as placed_at
    from ${sql(what === 'turns' ? 'turns' : 'dead_letters')} where project_id = ${projectId}
      ${what === 'turns' ? sql`and origin <> 'experiment'` : sql``}
      ${from === undefined ? sql`` : sql`and received_at >= ${from.toISOString()}::timestamptz`}
      ${to === undefined ? sql`` : sql`and received_at < ${to.toISOString()}::timestamptz`}
      ${after === null ? sql`` : sql`and (received_at, id) < (${after.at}::timestamptz, ${after.id})`}
    order by received_at desc, id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ id, at, by, model, session_id, code, message }) => ({
      id,
      at: new Date(at),
      by,
      model,
      sessionId: session_id,
      refusal: code === null ? null : { code, message: message ?? '' },
    })),
    nextCursor:
      rows.length > limit && last !== undefined
        ? cursorAt({ at: last.placed_at, id: last.id })
        : null,
  };
}
