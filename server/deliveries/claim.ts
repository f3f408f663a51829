import type { Ctx } from '../platform';
import type { DestinationKind } from './input';

/**
 * A delivery under this sender's lease, with its destination. Its result is recorded only with this
 * `fence`.
 */
export interface ClaimedDelivery {
  readonly projectId: string;
  readonly projectSlug: string;
  readonly id: string;
  /** Exactly one of the two is null. */
  readonly verdictId: string | null;
  readonly noticeId: string | null;
  readonly fence: number;
  readonly attempts: number;
  readonly destination: {
    readonly id: string;
    readonly kind: DestinationKind;
    readonly url: string;
    readonly secretSealed: string | null;
    readonly headersSealed: string | null;
    readonly actionsSecretSealed: string | null;
  };
}

/**
 * Maximum number of attempts. After that the delivery is dead, with the reason, until someone
 * replays it.
 */
export const maxDeliveryAttempts = 8;

interface ClaimedRow {
  project_id: string;
  slug: string;
  id: string;
  verdict_id: string | null;
  notice_id: string | null;
  fence: string;
  attempts: number;
  state: string;
  destination_id: string;
  kind: DestinationKind;
  url: string;
  secret_sealed: string | null;
  headers_sealed: string | null;
  actions_secret_sealed: string | null;
}

/**
 * Claims pending deliveries for `owner` until the lease ends, oldest first, by the database clock.
 * Skips destinations in `busy`: a slow one blocks no other. A send that never returned counts as an
 * attempt.
 */
export async function claimDeliveries(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  input: {
    readonly owner: string;
    readonly limit: number;
    readonly busy: readonly string[];
    /** Leaves deliveries of verdicts to other processes. */
    readonly noticesOnly?: boolean;
  },
): Promise<ClaimedDelivery[]> {
  const { sql } = ctx;
  const busy = JSON.stringify(input.busy);
  const rows = await sql<ClaimedRow[]>`
    with due as (
      select v.project_id, v.id, p.slug, d.kind, d.url, d.secret_sealed, d.headers_sealed, d.actions_secret_sealed
      from deliveries v
      join destinations d on d.project_id = v.project_id and d.id = v.destination_id and d.enabled
      join projects p on p.id = v.project_id
      where v.state = 'waiting' and v.due_at <= now() ${input.noticesOnly === true ? sql`and v.notice_id is not null` : sql``}
        and v.destination_id not in (select jsonb_array_elements_text(${busy}::text::jsonb))
      order by v.due_at limit ${input.limit} for update of v skip locked
    )
    update deliveries v set fence = v.fence + 1, attempts = v.attempts + 1,
      owner = case when v.attempts < ${maxDeliveryAttempts} then ${input.owner} end,
      state = case when v.attempts < ${maxDeliveryAttempts} then 'waiting' else 'dead' end,
      last_error = case when v.attempts < ${maxDeliveryAttempts} then v.last_error else 'the sender stopped during the last attempt, so it is unknown whether it arrived' end,
      due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    from due where v.project_id = due.project_id and v.id = due.id
    returning v.project_id, due.slug, v.id, v.verdict_id, v.notice_id, v.fence, v.attempts, v.state, v.destination_id, due.kind, due.url,
      due.secret_sealed, due.headers_sealed, due.actions_secret_sealed`;
  return rows.flatMap((row) => (row.state === 'waiting' ? [asClaimed(row)] : []));
}

function asClaimed(row: ClaimedRow): ClaimedDelivery {
  return {
    projectId: row.project_id,
    projectSlug: row.slug,
    id: row.id,
    verdictId: row.verdict_id,
    noticeId: row.notice_id,
    fence: Number(row.fence),
    attempts: row.attempts,
    destination: {
      id: row.destination_id,
      kind: row.kind,
      url: row.url,
      secretSealed: row.secret_sealed,
      headersSealed: row.headers_sealed,
      actionsSecretSealed: row.actions_secret_sealed,
    },
  };
}

/** Calls `onDelivery` whenever a delivery is stored, until `unlisten`. */
export function listenForDeliveries(
  ctx: Pick<Ctx, 'sql'>,
  onDelivery: () => void,
): Promise<{ unlisten(): Promise<void> }> {
  return ctx.sql.listen('assay_deliveries', onDelivery);
}
