import { createHash, hash, randomBytes, randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(value >> bits) & 31];
    }
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
}

/**
 * Draws random bytes for many ids at once: a system call for each would dominate the cost of an id.
 */
const pool = Buffer.alloc(10 * 400);
let drawn = pool.length;

function drawRandom(into: Buffer, at: number): void {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  pool.copy(into, at, drawn, drawn + 10);
  drawn += 10;
}

/**
 * `prefix_` and 26 characters: 48 bits of time, then 80 random bits, so that later ids sort later.
 */
export function newId(prefix: string, now: Date): string {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUIntBE(Math.max(0, now.getTime()), 0, 6);
  drawRandom(bytes, 6);
  return `${prefix}_${base32(bytes)}`;
}

/**
 * Derives an id from its parts: a repeated request without client ids finds its own rows.
 */
export function derivedId(prefix: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return `${prefix}_${base32(hash.digest().subarray(0, 16))}`;
}

/** SHA-256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** A secret of `bytes` random bytes, base64url. */
export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}
