import { expect, test } from 'vitest';
import { createSlots } from './slots';

const never = new AbortController().signal;
const longMs = 60_000;

function createScene(size: number) {
  const scene = { now: 0 };
  const places = createSlots(size, { monotonicMs: () => scene.now });
  return { scene, places };
}

/** Whether it has ended by now; any signal that it waits for has already been sent. */
async function hasEnded(promise: Promise<unknown>): Promise<boolean> {
  let ended = false;
  void promise.then(() => {
    ended = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return ended;
}

async function fill(places: ReturnType<typeof createSlots>, size: number): Promise<void> {
  expect(await places.order(size, never, longMs)).toBe(size);
  for (let n = 0; n < size; n++) expect(await places.take(never, longMs)).toBe(true);
}

test('R-4 orders as many pieces as there is room for, and none when all slots are taken and none is released', async () => {
  const { places } = createScene(3);
  expect(await places.order(2, never, longMs)).toBe(2);
  expect(await places.order(5, never, longMs)).toBe(1);
  expect(places.available()).toBeLessThanOrEqual(0);
  expect(await places.order(1, never, 1)).toBe(0);
  places.cancel(1);
  expect(places.available()).toBeGreaterThan(0);
  expect(await places.order(5, never, longMs)).toBe(1);
});

test('R-4 slots released a moment ago are ordered ahead, at most a twelfth; after that moment none are', async () => {
  const { scene, places } = createScene(24);
  await fill(places, 24);
  expect(places.available()).toBeLessThanOrEqual(0);
  for (let n = 0; n < 5; n++) places.release();
  // Five slots are free, and two more will become free.
  expect(await places.order(99, never, longMs)).toBe(7);
  for (let n = 0; n < 5; n++) expect(await places.take(never, longMs)).toBe(true);
  const ahead = [places.take(never, longMs), places.take(never, longMs)];
  places.release();
  expect(await ahead[0]).toBe(true);
  scene.now += 1_000;
  expect(places.available()).toBeLessThanOrEqual(0);
  expect(await hasEnded(ahead[1] ?? Promise.resolve())).toBe(false);
  places.release();
  expect(await ahead[1]).toBe(true);
});

test('R-4 a released slot goes to the first request, and a waiting order resolves when there is room', async () => {
  const { scene, places } = createScene(1);
  await fill(places, 1);
  const ordered = places.order(4, never, longMs);
  expect(await hasEnded(ordered)).toBe(false);
  places.release();
  expect(await ordered).toBe(2);
  const [first, second] = [places.take(never, longMs), places.take(never, longMs)];
  expect(await first).toBe(true);
  expect(await hasEnded(second)).toBe(false);
  scene.now += 1_000;
  places.release();
  expect(await second).toBe(true);
  places.release();
  expect(places.free()).toBe(1);
});

test.each([
  { why: 'no place is left in time', ms: 1, abort: false },
  { why: 'its signal fires', ms: longMs, abort: true },
])('R-16 an ordered piece is dropped when $why, and no longer counted', async ({ ms, abort }) => {
  const { scene, places } = createScene(1);
  await fill(places, 1);
  places.release();
  expect(await places.order(2, never, longMs)).toBe(2);
  expect(await places.take(never, longMs)).toBe(true);
  const ending = new AbortController();
  const taken = places.take(ending.signal, ms);
  if (abort) ending.abort();
  expect(await taken).toBe(false);
  scene.now += 1_000;
  places.release();
  expect(places.free()).toBe(1);
  expect(await places.order(9, never, longMs)).toBe(2);
});
