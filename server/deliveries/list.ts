import { asc, eq } from 'drizzle-orm';
import { schema } from '../../db';
import type { ProjectCtx } from '../access';
import { cursorAt, readCursor } from '../platform';
import { asDestination, type Destination } from './destination';
import type { DeliveryState } from './input';

export async function listDestinations(ctx: ProjectCtx): Promise<Destination[]> {
  const { destinations } = schema;
  const rows = await ctx.db
    .select()
    .from(destinations)
    .where(eq(destinations.projectId, ctx.projectId))
    .orderBy(asc(destinations.id));
  return rows.map((row) => asDestination(ctx, row));
}

export interface Delivery {
  readonly id: string;
  readonly destinationId: string;
  readonly destination: string;
  /** The sent event: a verdict, or a notice with its subject. */
  readonly verdictId: string | null;
  readonly noticeId: string | null;
  readonly subject: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  /**
   * Time of the next attempt; null if there is none: delivered, dead, or the destination is
   * disabled.
   */
  readonly nextAttemptAt: Date | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
}

interface DeliveryRow {
  id: string;
  destination_id: string;
  name: string;
  verdict_id: string | null;
  notice_id: string | null;
  subject: string | null;
  state: DeliveryState;
  attempts: number;
  due_at: string | null;
  last_error: string | null;
  created_at: string;
  delivered_at: string | null;
  at: string;
}

export interface DeliveryPage {
  readonly items: readonly Delivery[];
  readonly nextCursor: string | null;
}

export interface DeliveryFilters {
  readonly destination?: string | undefined;
  readonly state?: DeliveryState | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * Deliveries, newest first, of one destination or of all. Reads the newest of each destination and
 * never the whole table.
 */
export async function listDeliveries(
  ctx: ProjectCtx,
  input: DeliveryFilters,
): Promise<DeliveryPage> {
  const { sql, projectId } = ctx;
  const limit = input.limit ?? 50;
  const after = input.cursor === undefined ? null : readCursor(input.cursor);
  const rows = await sql<DeliveryRow[]>`
    select v.*, d.name, n.subject from destinations d cross join lateral (
      select id, destination_id, verdict_id, notice_id, state, attempts, last_error, created_at, delivered_at,
        case when state = 'waiting' and due_at < 'infinity' then due_at end as due_at,
        to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from deliveries where project_id = ${projectId} and destination_id = d.id
        ${input.state === undefined ? sql`` : sql`and state = ${input.state}`}
        ${after === null ? sql`` : sql`and (created_at, id) < (${after.at}::timestamptz, ${after.id})`}
      order by created_at desc, id desc limit ${limit + 1}
    ) v
    left join notices n on n.project_id = ${projectId} and n.id = v.notice_id
    where d.project_id = ${projectId} ${input.destination === undefined ? sql`` : sql`and d.id = ${input.destination}`}
    order by v.created_at desc, v.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asDelivery),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}

function asDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    destinationId: row.destination_id,
    destination: row.name,
    verdictId: row.verdict_id,
    noticeId: row.notice_id,
    subject: row.subject,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.due_at === null ? null : new Date(row.due_at),
    lastError: row.last_error,
    createdAt: new Date(row.created_at),
    deliveredAt: row.delivered_at === null ? null : new Date(row.delivered_at),
  };
}
