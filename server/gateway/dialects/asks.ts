/** What a request asks for in addition to an answer. */
export interface Asks {
  /**
   * Tools are offered to the model, or a shape of the answer is asked for: then no envelope can be
   * asked for.
   */
  readonly offersTools: boolean;
  readonly asksShape: boolean;
  /** Choices asked for. */
  readonly choices: number;
}

/**
 * Entries of a conversation that a rule is put before. Reading more takes longer than a call may
 * wait.
 */
const RULED_ENTRIES_MAX = 5_000;

/** Whether a rule for the one answer can be put to a request of so many entries (INT-17). */
export function takesRule({ offersTools, asksShape, choices }: Asks, entries: number): boolean {
  return !offersTools && !asksShape && choices <= 1 && entries <= RULED_ENTRIES_MAX;
}

/** Objects and arrays of a text's own, and those quoted in its strings. */
const INTRICATE = 100_000;

/**
 * Whether a request has so many parts that changing it would take some tenths of a second. Costs
 * microseconds for each KiB that has many.
 */
export function isIntricate(body: Buffer): boolean {
  return hasMore(body, '{', INTRICATE);
}

/** Whether a byte is in it more often than so. */
export function hasMore(body: Buffer, char: string, limit: number): boolean {
  if (body.length <= limit) return false;
  const code = char.charCodeAt(0);
  let found = 0;
  for (let at = body.indexOf(code); at !== -1; at = body.indexOf(code, at + 1))
    if (++found > limit) return true;
  return false;
}
