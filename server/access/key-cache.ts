import { type Ctx, forbidden, unauthorized, unavailable } from '../platform';
import { type Actor, enterProject, type ProjectCtx } from './actor';
import { findKey, noteKeyUse, parseKey, sameHash, type StoredKey } from './keys';
import type { Scope } from './roles';

/** Looked up again after so long, so that a revoked key is refused everywhere within a second (S-12). */
const freshMs = 800;
/** With the database away a key that was good may be honoured so long, and no longer (S-13). */
const outageMs = 60_000;
const capacity = 10_000;

interface Entry {
  key: StoredKey | null;
  readAt: number;
  reading: Promise<StoredKey | null> | null;
}

export interface KeyCheck {
  /** The project context that `authorization` opens. @throws AssayError unauthorized, forbidden, unavailable */
  authorize(authorization: string | undefined, scope: Scope): Promise<ProjectCtx>;
}

/** Checks API keys with a cache of its own for each process. */
export function createKeyCheck(ctx: Ctx): KeyCheck {
  const entries = new Map<string, Entry>();

  async function read(id: string): Promise<StoredKey | null> {
    const now = ctx.clock.monotonicMs();
    let entry = entries.get(id);
    if (entry !== undefined && now - entry.readAt < freshMs) return entry.key;
    if (entry === undefined) {
      if (entries.size >= capacity) entries.delete(entries.keys().next().value ?? '');
      entry = { key: null, readAt: Number.NEGATIVE_INFINITY, reading: null };
      entries.set(id, entry);
    }
    const current = entry;
    current.reading ??= findKey(ctx, id).then(
      (key) => {
        current.key = key;
        // From when it was asked for, not answered: a slow answer is an old one.
        current.readAt = now;
        current.reading = null;
        return key;
      },
      (error: unknown) => {
        current.reading = null;
        throw error;
      },
    );
    try {
      return await current.reading;
    } catch (error) {
      ctx.log.warn({ err: error }, 'API key not looked up');
      if (current.key !== null && ctx.clock.monotonicMs() - current.readAt < outageMs) return current.key;
      throw unavailable('the key cannot be checked now');
    }
  }

  return {
    async authorize(authorization, scope) {
      const text = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
      if (text === undefined) throw unauthorized('send "Authorization: Bearer asy_…"');
      const parsed = parseKey(text);
      const stored = parsed === null ? null : await read(parsed.id);
      if (parsed === null || stored === null || !sameHash(parsed.secretHash, stored.secretHash)) {
        throw unauthorized('the key is unknown or revoked');
      }
      // Only now: whoever knows no more than a key's id must not make it look used.
      noteKeyUse(ctx, stored);
      if (!stored.scopes.includes(scope)) throw forbidden(`the key lacks the scope "${scope}"`);
      const actor: Actor = { kind: 'key', id: stored.id, label: `key "${stored.name}"`, scopes: stored.scopes };
      return enterProject(ctx, { id: stored.projectId, slug: stored.projectSlug }, actor);
    },
  };
}
