/** Options of a request that affect envelopes. */
export interface Asks {
  /** Tools are offered, or a response format is set: then no envelope can be requested. */
  readonly offersTools: boolean;
  readonly asksShape: boolean;
  /** Requested number of choices. */
  readonly choices: number;
}

/** Longest conversation that gets a rule; parsing more would delay the call too long. */
const RULED_ENTRIES_MAX = 5_000;

/** Whether a rule can be added to a request with this many entries (INT-17). */
export function acceptsRule({ offersTools, asksShape, choices }: Asks, entries: number): boolean {
  return !offersTools && !asksShape && choices <= 1 && entries <= RULED_ENTRIES_MAX;
}

/** Maximum number of objects in a body, including those quoted in its strings. */
const INTRICATE = 100_000;

/**
 * Whether changing the request would take tenths of a second, because it has too many objects.
 * Costs microseconds per KiB.
 */
export function isIntricate(body: Buffer): boolean {
  return hasMore(body, '{', INTRICATE);
}

/** Whether a byte occurs more often than `limit`. */
export function hasMore(body: Buffer, char: string, limit: number): boolean {
  if (body.length <= limit) return false;
  const code = char.charCodeAt(0);
  let found = 0;
  for (let at = body.indexOf(code); at !== -1; at = body.indexOf(code, at + 1))
    if (++found > limit) return true;
  return false;
}
