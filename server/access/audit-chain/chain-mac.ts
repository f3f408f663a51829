import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { findMaster, type MasterKey, type MasterKeyCtx } from '../master-key';

/*
 * Audit events form one chain per project (reliability.md S-109). The MAC of an event covers the
 * event and the MAC of the event before it: HMAC-SHA-256 with a key that HKDF-SHA-256 derives from
 * ASSAY_SECRET. Without the secret, write access to the database is not enough to edit, insert or
 * remove an event unnoticed. A MAC is stored as `<key id>.<base64url>`.
 */

/** The chain of events without a project. */
export const installationChain = 'installation';

export interface ChainEvent {
  readonly id: string;
  /** Seconds since 1970 with microseconds, as text. */
  readonly at: string;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly actor_label: string;
  readonly action: string;
  readonly target: string | null;
  readonly detail: string;
}

export interface ChainKey {
  /** @param before the MAC of the previous event, '' for the first */
  event(place: ChainPlace, event: ChainEvent): string;
  /** The MAC of a chain's length and of its last MAC. */
  end(length: number, last: string): string;
}

export interface ChainPlace {
  readonly position: number;
  readonly before: string;
  readonly detailHash: string;
}

const keyBytes = 32;

export function createChainKey({ secret, id }: MasterKey, chain: string): ChainKey {
  const key = Buffer.from(hkdfSync('sha256', secret, chain, 'assay audit chain', keyBytes));
  const macOf = (parts: readonly unknown[]): string =>
    `${id}.${createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')}`;
  return {
    event: ({ position, before, detailHash }, event) =>
      macOf([
        'event',
        position,
        before,
        event.id,
        event.at,
        event.actor_kind,
        event.actor_id,
        event.actor_label,
        event.action,
        event.target,
        detailHash,
      ]),
    end: (length, last) => macOf(['end', length, last]),
  };
}

/** The key with which a MAC was made; null if that was neither the current nor the previous one. */
export function keyOfMac(ctx: MasterKeyCtx, chain: string, mac: string): ChainKey | null {
  const master = findMaster(ctx, mac.split('.')[0]);
  return master === null ? null : createChainKey(master, chain);
}

export const hashDetail = (detail: string): string =>
  createHash('sha256').update(detail).digest('base64url');
