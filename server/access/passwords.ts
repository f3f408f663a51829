import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { rateLimited } from '../platform';

/**
 * Password hashes as better-auth stores them: scrypt of RFC 7914 with N 16384, r 16, p 1, as
 * `salt:key` in hex. Computed by Node's own scrypt, which runs in libuv's threads: which
 * implementation better-auth loads depends on the bundler, and one of the two is JavaScript on the
 * main thread.
 */
const keyBytes = 64;
const cost = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };

function deriveKey(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

/** @returns the text to store, with a random salt of 16 bytes */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await deriveKey(password, salt)).toString('hex')}`;
}

/** Whether the password matches the hash; false for an invalid hash. */
export async function verifyPassword({
  hash,
  password,
}: {
  readonly hash: string;
  readonly password: string;
}): Promise<boolean> {
  const [salt = '', hex = ''] = hash.split(':');
  const known = Buffer.from(hex, 'hex');
  const key = await deriveKey(password, salt);
  return known.length === key.length && timingSafeEqual(known, key);
}

/**
 * Concurrent hashes in one process: half of its processors, at most two, so that pages keep the
 * rest, and libuv keeps threads for files and names.
 */
const atOnce = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
/** Limit of each queue: at about 0.1 s per hash, the last one waits less than 2 s. */
const waitingMax = 16;
const retryAfterS = 2;

export type PasswordLane = 'known' | 'new';

interface Slots {
  running: number;
  readonly waiting: Readonly<Record<PasswordLane, (() => void)[]>>;
}

export function createPasswordSlots(): Slots {
  return { running: 0, waiting: { known: [], new: [] } };
}

const key = Symbol.for('assay.password.slots');

/** Shared by the whole process, however often Next bundles this file. */
function processSlots(): Slots {
  const place = globalThis as typeof globalThis & { [key]?: Slots };
  return (place[key] ??= createPasswordSlots());
}

/**
 * Runs work that hashes one password, a few at once. Known devices have a separate queue and go
 * first, so that a flood of attempts from other sources does not block them (S-121).
 * @throws AssayError rate_limited if the queue is full
 */
export async function withPasswordSlot<T>(
  lane: PasswordLane,
  work: () => Promise<T>,
  slots = processSlots(),
): Promise<T> {
  if (slots.running >= atOnce) {
    const queue = slots.waiting[lane];
    if (queue.length >= waitingMax)
      throw rateLimited(
        'too many passwords are being checked; try again in a few seconds',
        retryAfterS,
      );
    // The slot passes to the next waiter, so `running` stays the same.
    await new Promise<void>((resolve) => queue.push(resolve));
  } else slots.running++;
  try {
    return await work();
  } finally {
    const next = slots.waiting.known.shift() ?? slots.waiting.new.shift();
    if (next === undefined) slots.running--;
    else next();
  }
}
