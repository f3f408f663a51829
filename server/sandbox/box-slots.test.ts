import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxesThatFit, createBoxSlots, testSlots } from './box-slots';
import { maxSlots, usersOfSlots } from './box-users';

const gib = 1024 ** 3;
const never = new AbortController().signal;

describe('how many boxes run at the same time', () => {
  it.each([
    [24 * gib, 2, null, 8],
    [24 * gib, 64, null, 18],
    [24 * gib, 2, 12, 12],
    [24 * gib, 2, 1_000, 18],
    [1000 * gib, 512, null, maxSlots - testSlots],
    [2 * gib, 8, null, 1],
    [gib / 2, 1, null, 1],
  ])('S-116 with %d bytes, %d processors and %s asked for: %d', (memoryBytes, processors, asked, expected) => {
    expect(boxesThatFit(gib, asked, { memoryBytes, processors })).toBe(expected);
  });

  it('S-116 all of them at their cap leave a quarter of the memory, whatever is asked for', () => {
    const numbers = fc.tuple(
      fc.integer({ min: 2, max: 4_096 }),
      fc.integer({ min: 1, max: 256 }),
      fc.option(fc.integer({ min: 1, max: 2_000 })),
    );
    fc.assert(
      fc.property(numbers, ([memoryGib, processors, asked]) => {
        const count = boxesThatFit(gib, asked, { memoryBytes: memoryGib * gib, processors });
        expect(count * gib).toBeLessThanOrEqual(Math.max(gib, memoryGib * gib * 0.75));
        expect(count).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});

describe('slots', () => {
  it('S-116 are given lowest first, then in the order asked, and not to who gave up', async () => {
    const slots = createBoxSlots(2);
    expect([await slots.take(never), await slots.take(never)]).toEqual([0, 1]);
    const ending = new AbortController();
    const [third, fourth, fifth] = [slots.take(never), slots.take(ending.signal), slots.take(never)];
    ending.abort();
    slots.leave(1);
    slots.leave(0);
    expect(await Promise.all([third, fourth, fifth])).toEqual([1, null, 0]);
    expect(await slots.take(ending.signal)).toBeNull();
  });

  it('S-84 have a user each, outside of what accounts use', () => {
    for (const pid of [1, 74, 75, 4_194_304]) {
      const users = usersOfSlots(pid);
      expect([users.length, new Set(users).size]).toEqual([maxSlots, maxSlots]);
      expect(users.every((uid) => uid >= 60_000 && uid < 65_534)).toBe(true);
    }
    expect(usersOfSlots(1)).not.toContain(usersOfSlots(2)[0]);
  });
});
