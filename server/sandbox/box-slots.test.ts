import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxesThatFit, createBoxSlots, testSlots } from './box-slots';
import { maxSlots, usersOfSlots } from './box-users';

const gib = 1024 ** 3;
const never = new AbortController().signal;

describe('how many boxes run at the same time', () => {
  it.each([
    [24 * gib, null, 21],
    [24 * gib, 12, 12],
    [24 * gib, 1_000, 21],
    [1000 * gib, null, maxSlots - testSlots],
    [2 * gib, null, 1],
    [gib / 2, null, 1],
  ])('S-116 with %d bytes and %s asked for: %d', (memoryBytes, asked, expected) => {
    expect(boxesThatFit(gib, asked, memoryBytes)).toBe(expected);
  });

  it('S-116 all of them at their cap leave a tenth of the memory, whatever is requested', () => {
    const numbers = fc.tuple(
      fc.integer({ min: 2, max: 4_096 }),
      fc.option(fc.integer({ min: 1, max: 2_000 })),
    );
    fc.assert(
      fc.property(numbers, ([memoryGib, asked]) => {
        const count = boxesThatFit(gib, asked, memoryGib * gib);
        expect(count * gib).toBeLessThanOrEqual(memoryGib * gib * 0.9);
        expect(count).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});

describe('slots', () => {
  it('S-116 are assigned lowest first, in the order of requests, and not to aborted ones', async () => {
    const slots = createBoxSlots(2);
    expect([await slots.take(1, never), await slots.take(1, never)]).toEqual([[0], [1]]);
    const ending = new AbortController();
    const [third, fourth, fifth] = [
      slots.take(1, never),
      slots.take(1, ending.signal),
      slots.take(1, never),
    ];
    ending.abort();
    slots.leave([1]);
    slots.leave([0]);
    expect(await Promise.all([third, fourth, fifth])).toEqual([[1], null, [0]]);
    expect(await slots.take(1, ending.signal)).toBeNull();
  });

  it('S-88 two at once are not overtaken, and never acquired one by one', async () => {
    const slots = createBoxSlots(2);
    const one = await slots.take(1, never);
    const ending = new AbortController();
    const [pair, late, given] = [
      slots.take(2, never),
      slots.take(1, never),
      slots.take(2, ending.signal),
    ];
    slots.leave(one ?? []);
    expect(await pair).toEqual([0, 1]);
    slots.leave([0, 1]);
    expect(await late).toEqual([0]);
    ending.abort();
    expect(await given).toBeNull();
    expect(await slots.take(1, never)).toEqual([1]);
  });

  it('S-84 have a user each, outside of the range of accounts', () => {
    for (const pid of [1, 74, 75, 4_194_304]) {
      const users = usersOfSlots(pid);
      expect([users.length, new Set(users).size]).toEqual([maxSlots, maxSlots]);
      expect(users.every((uid) => uid >= 60_000 && uid < 65_534)).toBe(true);
    }
    const [first = 0] = usersOfSlots(1);
    expect(usersOfSlots(1, first)).not.toContain(first);
    expect(usersOfSlots(1)).not.toContain(usersOfSlots(2)[0]);
  });
});
