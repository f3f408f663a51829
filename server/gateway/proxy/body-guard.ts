import { parseKey } from '../../access';

const begins = Buffer.from('asy_');
/**
 * A key: `asy_`, up to 8 letters of scopes, 20 hexadecimal digits, 27 characters of secret and 6 of
 * checksum.
 */
const shape = /^asy_[a-z]{1,8}_[0-9a-f]{20}_[A-Za-z0-9_-]{33}/;
const KEY_CHARS_MAX = 67;
/**
 * Candidates per body that are verified by checksum; beyond this limit, every candidate counts as a
 * key.
 */
const CHECKED_MAX = 100;
/** Bytes before a key that are searched for the name of its member. */
const BEFORE_CHARS = 300;
const member = /"([^"\\]{1,80})"\s*:\s*\[?\s*"[^"]*$/;

/**
 * Scans a request's body for whole Assay keys (S-122) as it is streamed, across chunk boundaries.
 * Prefixes, and keys with a wrong checksum, pass. Linear: each chunk is searched once, and at most
 * 66 bytes are held back.
 */
export class BodyGuard {
  #waiting: Buffer | null = null;
  #checked = 0;

  /** The bytes that may be sent, possibly none, or a sentence with the position of a key. */
  push(chunk: Buffer): Buffer | { readonly fault: string } {
    const bytes = this.#waiting === null ? chunk : Buffer.concat([this.#waiting, chunk]);
    const found = this.#keyIn(bytes);
    if (found !== -1) return { fault: faultAt(bytes, found) };
    const end = keyMayBeginAt(bytes);
    this.#waiting = end === bytes.length ? null : bytes.subarray(end);
    return end === bytes.length ? bytes : bytes.subarray(0, end);
  }

  /** The bytes held back at the end of the body; null if none. */
  end(): Buffer | null {
    const remaining = this.#waiting;
    this.#waiting = null;
    return remaining;
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

/** Whether letters, `_` and a hexadecimal digit follow: cheaper than decoding each candidate. */
function isHex(bytes: Buffer, at: number): boolean {
  let n = at + begins.length;
  while (n < at + 12 && isLetter(bytes[n] ?? 0)) n++;
  return bytes[n] === 0x5f && /[0-9a-f]/.test(String.fromCharCode(bytes[n + 1] ?? 0));
}

const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

function faultAt(bytes: Buffer, at: number): string {
  const name = member.exec(bytes.toString('utf8', Math.max(0, at - BEFORE_CHARS), at))?.[1];
  const where = name === undefined ? '' : ` in the member "${name}"`;
  return `the body contains an Assay key${where}: Assay keys never go upstream, take it out`;
}

/**
 * The offset of the first unfinished key at the end of the bytes, else their length. The first and
 * not the last: a secret may itself contain `asy_`.
 */
function keyMayBeginAt(bytes: Buffer): number {
  const tail = Math.max(0, bytes.length - KEY_CHARS_MAX + 1);
  const first = bytes.indexOf(begins, tail);
  if (first !== -1) return first;
  for (let n = begins.length - 1; n > 0; n--) {
    if (bytes.length >= n && bytes.compare(begins, 0, n, bytes.length - n) === 0)
      return bytes.length - n;
  }
  return bytes.length;
}
