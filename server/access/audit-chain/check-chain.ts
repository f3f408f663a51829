import type { Ctx } from '../../platform';
import { type ChainEvent, type ChainKey, hashDetail, keyOfMac } from './chain-mac';
import { chainCondition, eventColumns } from './seal-events';

/** Events that are read at once. */
const pageEvents = 5_000;
/** `eraseAuditTexts` stores this as the detail after the target of an event is deleted. */
const deletedDetail = '{"deleted": true}';

interface SealedEvent extends ChainEvent {
  readonly position: number;
  readonly detail_hash: string;
  readonly mac: string;
}

export interface ChainCheck {
  readonly chain: string;
  readonly events: number;
  /** A sentence about the first event that does not match its seal; null if all do. */
  readonly problem: string | null;
}

/** Compares one event with its seal and with the event before it. */
function problemOf(
  key: ChainKey,
  event: SealedEvent,
  { position, previousMac }: { readonly position: number; readonly previousMac: string },
): string | null {
  if (event.position > position)
    return `Event ${position} is missing (before ${event.id}, ${event.action}).`;
  const { detail_hash: detailHash, detail, mac } = event;
  const detailMatches = detail === deletedDetail || hashDetail(detail) === detailHash;
  if (detailMatches && key.macOfEvent({ position, previousMac, detailHash }, event) === mac)
    return null;
  return `Event ${position} (${event.id}, ${event.action}) was changed after it was recorded.`;
}

/** Reads a whole chain in pages. Changes nothing. */
export async function checkAuditChain(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  chain: string,
): Promise<ChainCheck> {
  const { sql } = ctx;
  const [end] = await sql<{ length: number; mac: string; end_mac: string }[]>`
    select length::float8 as length, mac, end_mac from audit_chains where project_id = ${chain}`;
  const keys = new Map<string, ChainKey | null>();
  const keyOf = (mac: string): ChainKey | null => {
    const id = mac.split('.')[0] ?? '';
    const known = keys.get(id);
    if (known !== undefined) return known;
    const key = keyOfMac(ctx, chain, mac);
    keys.set(id, key);
    return key;
  };
  const checkResult = (position: number, problem: string | null): ChainCheck => ({
    chain,
    events: position,
    problem,
  });
  if (end !== undefined && keyOf(end.mac) === null)
    return checkResult(0, 'The chain was sealed with a different ASSAY_SECRET.');
  let position = 0;
  let previousMac = '';
  for (;;) {
    const events = await sql<SealedEvent[]>`
      select ${eventColumns(sql)}, position::float8 as position, detail_hash, mac
      from audit_events
      where ${chainCondition(sql, chain)} and position > ${position} and position <= ${end?.length ?? 1}
      order by position limit ${pageEvents}`;
    for (const event of events) {
      const key = keyOf(event.mac);
      const problem =
        key === null
          ? `Event ${position + 1} (${event.id}, ${event.action}) was not sealed with this ASSAY_SECRET.`
          : problemOf(key, event, { position: position + 1, previousMac });
      if (problem !== null) return checkResult(position, problem);
      position += 1;
      previousMac = event.mac;
    }
    if (events.length < pageEvents) break;
  }
  if (end === undefined)
    return checkResult(
      position,
      position === 0 ? null : 'The record of the end of the chain is missing.',
    );
  const endMatches =
    position === end.length &&
    previousMac === end.mac &&
    keyOf(end.mac)?.macOfEnd(end.length, end.mac) === end.end_mac;
  return checkResult(
    position,
    endMatches
      ? null
      : `Events after event ${position} are missing, or the record of the end of the chain was changed.`,
  );
}
