import type { Ctx } from './context';
import { unavailable } from './errors';

/** Read again after so long, so that a change holds in every process within a second (S-12). */
const freshMs = 800;
/** With the database away what was read last may be honoured so long, and no longer (S-13). */
const outageMs = 60_000;
const capacity = 10_000;

interface Entry<Value> {
  value: Value | null;
  readAt: number;
  reading: Promise<Value | null> | null;
}

/** What the database holds by id, read at most once in 0.8 s by each process. */
export interface BriefCache<Value> {
  /**
   * Null where there is none, which is never honoured through an outage. @throws AssayError
   * unavailable
   */
  read(id: string): Promise<Value | null>;
  /** Reads again at the next call: it was changed here. */
  forget(id: string): void;
}

/** `what` names the values in words, for the log and for the error. */
export function createBriefCache<Value>(
  ctx: Pick<Ctx, 'clock' | 'log'>,
  what: string,
  load: (id: string) => Promise<Value | null>,
): BriefCache<Value> {
  const entries = new Map<string, Entry<Value>>();

  function open(id: string): Entry<Value> {
    if (entries.size >= capacity) entries.delete(entries.keys().next().value ?? '');
    const entry: Entry<Value> = { value: null, readAt: Number.NEGATIVE_INFINITY, reading: null };
    entries.set(id, entry);
    return entry;
  }

  async function refresh(entry: Entry<Value>, id: string, now: number): Promise<Value | null> {
    entry.reading ??= load(id).then(
      (value) => {
        entry.value = value;
        // From when it was asked for, not answered: a slow answer is an old one.
        entry.readAt = now;
        entry.reading = null;
        return value;
      },
      (error: unknown) => {
        entry.reading = null;
        throw error;
      },
    );
    try {
      return await entry.reading;
    } catch (error) {
      ctx.log.warn({ err: error }, `${what} not read`);
      if (entry.value !== null && ctx.clock.monotonicMs() - entry.readAt < outageMs)
        return entry.value;
      throw unavailable(`${what} cannot be read at the moment; send the request again`);
    }
  }

  return {
    async read(id) {
      const now = ctx.clock.monotonicMs();
      const entry = entries.get(id) ?? open(id);
      return now - entry.readAt < freshMs ? entry.value : refresh(entry, id, now);
    },
    // A reading that is under way began before the change: it ends in an entry that no one asks any
    // more.
    forget: (id) => void entries.delete(id),
  };
}
