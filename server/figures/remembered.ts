/** Longer texts are read each time: keys and headings are short. */
const LENGTH_MAX = 80;
/** A full memory is emptied, which bounds it to a few hundred kilobytes. */
const TEXTS_MAX = 2_048;

/**
 * A pure reading of short texts that is kept for later sources: tool results repeat their keys. The
 * result must not be changed.
 */
export function remembered<Result>(read: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    if (text.length > LENGTH_MAX) return read(text);
    let result = known.get(text);
    if (result === undefined) {
      if (known.size >= TEXTS_MAX) known.clear();
      const own = copyOf(text);
      result = read(own);
      known.set(own, result);
    }
    return result;
  };
}

/** A part of a text keeps the whole text in memory, a copy does not. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
