import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoxShares } from './box-shares';

const never = new AbortController().signal;
type Taken = Awaited<ReturnType<ReturnType<typeof createBoxShares>['take']>>;

/** Requests slots without awaiting them; `got` collects the answers so far. */
function scene(size: number) {
  const places = createBoxShares(size);
  const got: { project: string; answer: Taken }[] = [];
  const take = async (project: string, signal: AbortSignal = never): Promise<void> => {
    void places.take(project, signal).then((answer) => got.push({ project, answer }));
    // Answers without dependencies arrive in the same turn of the event loop.
    await Promise.resolve();
    await Promise.resolve();
  };
  const given = (project: string): number =>
    got.filter((one) => one.project === project && typeof one.answer === 'function').length;
  return { take, got, given };
}

describe('sandbox slots', () => {
  it('S-116 a project that requests 64 leaves a slot for the next project at once, and that one for a third', async () => {
    const { take, got, given } = scene(8);
    for (let n = 0; n < 64; n += 1) await take('a');
    expect(given('a')).toBe(4);
    expect(got.filter(({ answer }) => answer === 'crowded')).toHaveLength(56);
    await take('b');
    expect(given('b')).toBe(1);
    for (let n = 0; n < 64; n += 1) await take('b');
    await take('c');
    expect([given('b'), given('c')]).toEqual([2, 1]);
  });

  it('S-116 with one slot projects take turns, in whatever order they requested it', async () => {
    const { take, got, given } = scene(1);
    await take('a');
    await take('a');
    await take('b');
    const first = got.find(({ project }) => project === 'a')?.answer;
    expect([given('a'), given('b')]).toEqual([1, 0]);
    if (typeof first === 'function') first();
    await Promise.resolve();
    expect(given('a') + given('b')).toBe(2);
  });

  it('releases a slot once, and gives no slot to a request that was aborted', async () => {
    const { take, got, given } = scene(2);
    const ending = new AbortController();
    await take('a');
    await take('a', ending.signal);
    ending.abort();
    await Promise.resolve();
    expect(got.map(({ answer }) => (typeof answer === 'function' ? 'given' : answer))).toEqual([
      'given',
      'ended',
    ]);
    const first = got[0]?.answer;
    if (typeof first === 'function') {
      first();
      first();
    }
    await take('a');
    await take('b');
    await take('c');
    expect([given('a'), given('b'), given('c')]).toEqual([2, 1, 0]);
  });

  it('S-116 for any order of requests and releases: never more than the slots that exist, and no project waits while a slot within its share is free', async () => {
    const step = fc.record({ project: fc.constantFrom('a', 'b', 'c', 'd'), leave: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(step, { maxLength: 80 }),
        async (size, steps) => {
          const { take, got } = scene(size);
          const left = new Set<Taken>();
          for (const { project, leave } of steps) {
            const mine = got.find(
              (one) =>
                one.project === project &&
                typeof one.answer === 'function' &&
                !left.has(one.answer),
            );
            if (leave && mine !== undefined && typeof mine.answer === 'function') {
              left.add(mine.answer);
              mine.answer();
              await Promise.resolve();
              await Promise.resolve();
            } else await take(project);
            const running = got.filter(
              ({ answer }) => typeof answer === 'function' && !left.has(answer),
            );
            expect(running.length).toBeLessThanOrEqual(size);
            const projects = new Set(running.map((one) => one.project));
            // A project alone has at most half, so that another one finds a slot wherever there are
            // two.
            expect(projects.size === 1 && size > 1 ? running.length : 0).toBeLessThan(size);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
