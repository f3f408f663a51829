import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = text
    .replace(/=+$/, '')
    .split('')
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/**
 * The code that an authenticator app shows for an `otpauth://totp` address: six digits of RFC 6238
 * with SHA-1 and steps of 30 s.
 * @param atMs Unix milliseconds
 */
export function appCode(uri: string, atMs: number): string {
  const secret = fromBase32(new URL(uri).searchParams.get('secret') ?? '');
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const mac = createHmac('sha1', secret).update(step).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}
