import { performance } from 'node:perf_hooks';
import { hashPassword as hashByAuth, verifyPassword as verifyByAuth } from 'better-auth/crypto';
import { expect, it } from 'vitest';
import { createPasswordSlots, hashPassword, verifyPassword, withPasswordSlot } from './passwords';

it('S-121 hashes are compatible with better-auth in both directions, so that stored passwords stay valid', async () => {
  const password = 'pässword of twelve \u{1f511}';
  const [own, theirs] = [await hashPassword(password), await hashByAuth(password)];
  expect([
    await verifyByAuth({ hash: own, password }),
    await verifyPassword({ hash: theirs, password }),
  ]).toEqual([true, true]);
  for (const hash of ['', 'x', ':', 'aa:bb', `${own}00`])
    expect(await verifyPassword({ hash, password }), hash).toBe(false);
  expect(await verifyPassword({ hash: own, password: 'another password' })).toBe(false);
});

it('S-121 hashing leaves the main thread idle', async () => {
  await hashPassword('warm-up password');
  const before = performance.eventLoopUtilization();
  await Promise.all(Array.from({ length: 8 }, (_, n) => hashPassword(`password number ${n}`)));
  // A scrypt in JavaScript would keep the event loop busy.
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});

it('S-121 few hashes run at once, known devices first, and a full queue is refused with a time to wait', async () => {
  const slots = createPasswordSlots();
  const order: string[] = [];
  let running = 0;
  let peak = 0;
  const release: (() => void)[] = [];
  const work = (name: string) => async () => {
    peak = Math.max(peak, ++running);
    order.push(name);
    await new Promise<void>((resolve) => release.push(resolve));
    running--;
  };
  const begin = (lane: 'known' | 'new', name: string) =>
    withPasswordSlot(lane, work(name), slots).then(
      () => 'done',
      (error: { code: string; retryAfterS?: number }) => `${error.code} ${error.retryAfterS}`,
    );
  const first = Array.from({ length: 60 }, (_, n) => begin('new', `new ${n}`));
  const known = [begin('known', 'known')];
  const all = Promise.all([...first, ...known]);
  for (let rounds = 0; rounds < 200; rounds++) {
    release.splice(0).forEach((end) => end());
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const results = await all;
  expect(peak).toBeLessThanOrEqual(2);
  expect(order.indexOf('known')).toBeLessThanOrEqual(2);
  expect(results.filter((result) => result === 'done')).toHaveLength(peak + 16 + 1);
  expect(results.filter((result) => /^rate_limited \d+$/.test(result))).toHaveLength(
    60 - peak - 16,
  );
  await expect(
    withPasswordSlot('new', () => Promise.reject(new Error('broken')), slots),
  ).rejects.toThrow('broken');
  expect(slots.running).toBe(0);
});
