import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { findMaster, type MasterKey, type MasterKeyCtx } from '../master-key';

/*
 * Audit events form one chain per project (reliability.md S-109). The MAC of an event covers the
 * event and the MAC of the previous event: HMAC-SHA-256 with a key that HKDF-SHA-256 derives from
 * ASSAY_SECRET. An event cannot be edited, inserted or removed unnoticed without the secret, as
 * long as its chain is not deleted as a whole: a new chain over old events is logged as a warning.
 * A MAC is stored as `<key id>.<base64url>`.
 */

/** The chain of events without a project. */
export const installationChain = 'installation';

export interface ChainEvent {
  readonly id: string;
  /** Unix time in seconds with microsecond precision, as text. */
  readonly at: string;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly actor_label: string;
  readonly action: string;
  readonly target: string | null;
  readonly detail: string;
}

export interface ChainKey {
  macOfEvent(position: ChainPosition, event: ChainEvent): string;
  /** The MAC of a chain's length and of the MAC of its last event. */
  macOfEnd(length: number, lastMac: string): string;
}

export interface ChainPosition {
  /** From 1. */
  readonly position: number;
  /** '' for the first event. */
  readonly previousMac: string;
  readonly detailHash: string;
}

const keyBytes = 32;

export function createChainKey({ secret, id }: MasterKey, chain: string): ChainKey {
  const key = Buffer.from(hkdfSync('sha256', secret, chain, 'assay audit chain', keyBytes));
  const macOf = (parts: readonly unknown[]): string =>
    `${id}.${createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')}`;
  return {
    macOfEvent: ({ position, previousMac, detailHash }, event) =>
      macOf([
        'event',
        position,
        previousMac,
        event.id,
        event.at,
        event.actor_kind,
        event.actor_id,
        event.actor_label,
        event.action,
        event.target,
        detailHash,
      ]),
    macOfEnd: (length, lastMac) => macOf(['end', length, lastMac]),
  };
}

/** The key that made a MAC; null if neither the current nor the previous ASSAY_SECRET has its id. */
export function keyOfMac(ctx: MasterKeyCtx, chain: string, mac: string): ChainKey | null {
  const master = findMaster(ctx, mac.split('.')[0]);
  return master === null ? null : createChainKey(master, chain);
}

export const hashDetail = (detail: string): string =>
  createHash('sha256').update(detail).digest('base64url');
