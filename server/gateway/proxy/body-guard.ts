import { parseKey } from '../../access';

const begins = Buffer.from('asy_');
/**
 * A key: `asy_`, up to 7 letters of scopes, 20 hexadecimal digits, 27 characters of secret and 6 of
 * checksum.
 */
const shape = /^asy_[a-z]{1,7}_[0-9a-f]{20}_[A-Za-z0-9_-]{33}/;
const KEY_CHARS_MAX = 66;
/**
 * So many mistyped keys of one body are held against their checksum; of more, each is taken for a
 * key.
 */
const CHECKED_MAX = 100;
/** The member that a key is in is looked for so far before it. */
const BEFORE_CHARS = 300;
const member = /"([^"\\]{1,80})"\s*:\s*\[?\s*"[^"]*$/;

/**
 * Reads a request's body as it goes up, and finds whole Assay keys in it (S-122), wherever a chunk
 * ends. Text that only begins like a key, or has a key's shape and not its checksum, passes. Time
 * and memory are linear: a chunk is searched once, and 65 bytes at most wait.
 */
export class BodyGuard {
  #waiting: Buffer | null = null;
  #checked = 0;

  /**
   * What may go up of the bytes so far, possibly nothing; or where a key was found, as a sentence.
   */
  push(chunk: Buffer): Buffer | { readonly fault: string } {
    const bytes = this.#waiting === null ? chunk : Buffer.concat([this.#waiting, chunk]);
    const found = this.#keyIn(bytes);
    if (found !== -1) return { fault: faultAt(bytes, found) };
    const end = keyMayBeginAt(bytes);
    this.#waiting = end === bytes.length ? null : bytes.subarray(end);
    return end === bytes.length ? bytes : bytes.subarray(0, end);
  }

  /** The body is at its end: what still waited; null: nothing. */
  end(): Buffer | null {
    const rest = this.#waiting;
    this.#waiting = null;
    return rest;
  }

  #keyIn(bytes: Buffer): number {
    for (
      let at = bytes.indexOf(begins);
      at !== -1;
      at = bytes.indexOf(begins, at + begins.length)
    ) {
      const key = isHex(bytes, at)
        ? shape.exec(bytes.toString('latin1', at, at + KEY_CHARS_MAX))?.[0]
        : undefined;
      if (key !== undefined && (++this.#checked > CHECKED_MAX || parseKey(key) !== null)) return at;
    }
    return -1;
  }
}

/**
 * Whether what follows is letters, `_` and a hexadecimal digit: cheaper than a text for each word
 * that begins so.
 */
function isHex(bytes: Buffer, at: number): boolean {
  let n = at + begins.length;
  while (n < at + 12 && isLetter(bytes[n] ?? 0)) n++;
  return bytes[n] === 0x5f && /[0-9a-f]/.test(String.fromCharCode(bytes[n + 1] ?? 0));
}

const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

function faultAt(bytes: Buffer, at: number): string {
  const name = member.exec(bytes.toString('utf8', Math.max(0, at - BEFORE_CHARS), at))?.[1];
  const where = name === undefined ? '' : ` in the member "${name}"`;
  return `the body holds an Assay key${where}: Assay keys never go upstream, take it out`;
}

/** Where the last bytes may be the beginning of a key; their length: they are not. */
function keyMayBeginAt(bytes: Buffer): number {
  const last = bytes.lastIndexOf(begins);
  if (last !== -1 && last > bytes.length - KEY_CHARS_MAX) return last;
  for (let n = begins.length - 1; n > 0; n--) {
    if (bytes.length >= n && bytes.compare(begins, 0, n, bytes.length - n) === 0)
      return bytes.length - n;
  }
  return bytes.length;
}
