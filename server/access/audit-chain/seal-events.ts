import type { Fragment, Sql, TransactionSql } from 'postgres';
import type { Ctx } from '../../platform';
import { currentMaster } from '../master-key';
import { type ChainEvent, createChainKey, hashDetail, installationChain } from './chain-mac';

/** Only one process extends chains at a time. */
const lockKey = 5_109_001;
const batchEvents = 1_000;

interface UnsealedEvent extends ChainEvent {
  readonly chain: string;
}

interface ChainEnd {
  readonly chain: string;
  readonly length: number;
  readonly mac: string;
}

type SqlClient = Sql | TransactionSql;

/** The columns of `ChainEvent`. */
export const eventColumns = (sql: SqlClient): Fragment => sql`
  id, extract(epoch from at)::text as at, actor_kind, actor_id, actor_label, action, target,
  detail::text as detail`;

/** The condition for the events of a chain. */
export const eventsOf = (sql: SqlClient, chain: string): Fragment =>
  chain === installationChain ? sql`project_id is null` : sql`project_id = ${chain}`;

/**
 * Appends new audit events to the chains of their projects. Returns the number of sealed events; 0
 * if another process is sealing, or if this one has no ASSAY_SECRET.
 */
export async function sealAuditEvents(ctx: Pick<Ctx, 'sql' | 'env'>): Promise<number> {
  if (ctx.env.secret === null) return 0;
  return ctx.sql.begin(async (tx) => {
    const [lock] = await tx<{ taken: boolean }[]>`
      select pg_try_advisory_xact_lock(${lockKey}) as taken`;
    if (lock?.taken !== true) return 0;
    const events = await tx<UnsealedEvent[]>`
      select coalesce(project_id, ${installationChain}) as chain, ${eventColumns(tx)}
      from audit_events where position is null order by id limit ${batchEvents} for update`;
    if (events.length > 0) await extendChains(ctx, tx, events);
    return events.length;
  });
}

async function extendChains(
  ctx: Pick<Ctx, 'env'>,
  tx: TransactionSql,
  events: readonly UnsealedEvent[],
): Promise<void> {
  const master = currentMaster(ctx);
  const chains = [...new Set(events.map(({ chain }) => chain))];
  const stored = await tx<ChainEnd[]>`
    select project_id as chain, length::float8 as length, mac from audit_chains
    where project_id in ${tx(chains)}`;
  const sealed: { id: string; position: number; detail_hash: string; mac: string }[] = [];
  const ends = chains.map((chain) => {
    const key = createChainKey(master, chain);
    let { length, mac } = stored.find((end) => end.chain === chain) ?? { length: 0, mac: '' };
    for (const event of events.filter((each) => each.chain === chain)) {
      const detailHash = hashDetail(event.detail);
      length += 1;
      mac = key.event({ position: length, before: mac, detailHash }, event);
      sealed.push({ id: event.id, position: length, detail_hash: detailHash, mac });
    }
    return { chain, length, mac, end_mac: key.end(length, mac) };
  });
  await tx`
    update audit_events e set position = s.position, detail_hash = s.detail_hash, mac = s.mac
    from jsonb_to_recordset(${JSON.stringify(sealed)}::text::jsonb)
      as s(id text, position bigint, detail_hash text, mac text)
    where e.id = s.id`;
  await tx`
    insert into audit_chains as c (project_id, length, mac, end_mac)
    select * from jsonb_to_recordset(${JSON.stringify(ends)}::text::jsonb)
      as s(chain text, length bigint, mac text, end_mac text)
    on conflict (project_id) do update set length = excluded.length, mac = excluded.mac,
      end_mac = excluded.end_mac`;
}
