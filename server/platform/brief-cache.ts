import type { Ctx } from './context';
import { unavailable } from './errors';

/**
 * Maximum age of a value, so that a change takes effect in every process within a second (S-12).
 */
const freshMs = 800;
/** While the database is unavailable the last value is used for this long, and no longer (S-13). */
const outageMs = 60_000;
const capacity = 10_000;

interface Entry<Value> {
  value: Value | null;
  readAt: number;
  reading: Promise<Value | null> | null;
}

/** Caches database values by id; each process reads a value at most once in 0.8 s. */
export interface BriefCache<Value> {
  /**
   * Null if there is none; a missing value is never assumed during an outage.
   * @throws AssayError unavailable
   */
  read(id: string): Promise<Value | null>;
  /** Forces a read at the next call, after this process changed the value. */
  forget(id: string): void;
}

/** `label` names the values in the log and in errors. */
export function createBriefCache<Value>(
  ctx: Pick<Ctx, 'clock' | 'log'>,
  label: string,
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
        // Age counts from the request, not the response: a slow response is already old.
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
      ctx.log.warn({ err: error }, `${label} not read`);
      if (entry.value !== null && ctx.clock.monotonicMs() - entry.readAt < outageMs)
        return entry.value;
      throw unavailable(`${label} cannot be read at the moment; send the request again`);
    }
  }

  return {
    async read(id) {
      const now = ctx.clock.monotonicMs();
      const entry = entries.get(id) ?? open(id);
      return now - entry.readAt < freshMs ? entry.value : refresh(entry, id, now);
    },
    // A read in progress may predate the change; it ends in an entry that is no longer used.
    forget: (id) => void entries.delete(id),
  };
}
