import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairLru } from './fair-lru';

test('a project over the limit loses its own least recently used entry, not those of others', () => {
  const store = new FairLru<string>(3);
  store.set('a', '1', 'a1');
  store.set('b', '1', 'b1');
  store.set('b', '2', 'b2');
  expect(store.touch('b', '1')).toBe('b1');
  expect(store.set('b', '3', 'b3')).toBe('b2');
  expect(store.set('c', '1', 'c1')).toBe('b1');
  expect([store.get('a', '1'), store.get('b', '3'), store.get('c', '1'), store.size]).toEqual([
    'a1',
    'b3',
    'c1',
    3,
  ]);
});

const capacity = 5;

interface Entry {
  readonly project: string;
  readonly name: string;
}

/**
 * The same in the plainest way: all entries in one list, the least recently used first. Returns the
 * result of each step.
 */
class Plain {
  entries: Entry[] = [];

  touch(entry: Entry): string | undefined {
    return this.delete(entry) ? this.add(entry) : undefined;
  }

  set(entry: Entry): string | null {
    this.delete(entry);
    const oldest = this.entries.length < capacity ? undefined : this.loser(entry.project);
    if (oldest !== undefined) this.delete(oldest);
    this.add(entry);
    return oldest === undefined ? null : valueOf(oldest);
  }

  delete({ project, name }: Entry): boolean {
    const before = this.entries.length;
    this.entries = this.entries.filter((each) => each.project !== project || each.name !== name);
    return this.entries.length < before;
  }

  private add(entry: Entry): string {
    this.entries.push(entry);
    return valueOf(entry);
  }

  /** Two projects only: where both have as much, it is the one that adds. */
  private loser(adding: string): Entry | undefined {
    const sizeOf = (project: string): number =>
      this.entries.filter((each) => each.project === project).length;
    const largest = ['a', 'b'].toSorted(
      (one, other) => sizeOf(other) - sizeOf(one) || (one === adding ? -1 : 1),
    )[0];
    return this.entries.find(({ project }) => project === largest);
  }
}

const valueOf = ({ project, name }: Entry): string => project + name;

test('it never exceeds its capacity, and evicts only the oldest entry of the largest project', () => {
  const step = fc.record({
    act: fc.constantFrom('set' as const, 'set' as const, 'touch' as const, 'delete' as const),
    project: fc.constantFrom('a', 'b'),
    name: fc.constantFrom('1', '2', '3', '4', '5'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const store = new FairLru<string>(capacity);
      const plain = new Plain();
      const given = {
        set: (entry: Entry) => [
          store.set(entry.project, entry.name, valueOf(entry)),
          plain.set(entry),
        ],
        touch: (entry: Entry) => [store.touch(entry.project, entry.name), plain.touch(entry)],
        delete: (entry: Entry) => [
          store.delete(entry.project, entry.name),
          void plain.delete(entry),
        ],
      };
      for (const { act, ...entry } of steps) {
        const [found, expected] = given[act](entry);
        expect(found).toBe(expected);
        expect([...store.values()].toSorted()).toEqual(plain.entries.map(valueOf).toSorted());
        expect(store.size).toBe(plain.entries.length);
      }
    }),
    { numRuns: 500 },
  );
});
