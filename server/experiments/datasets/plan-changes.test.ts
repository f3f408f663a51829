import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NewItem } from './item';
import { type ChangesInput, type KnownItem, planChanges } from './plan-changes';

interface Given {
  readonly id: string;
  readonly content: string;
}

const given = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  content: fc.constantFrom('x', 'y', 'z'),
});

const itemOf = ({ id, content }: Given): NewItem =>
  ({ id, contentHash: content, turnId: null, selection: null, probability: null }) as NewItem;

function inputOf(sent: readonly Given[], stored: readonly Given[], keepKnown: boolean) {
  const unique = new Map(stored.map((each) => [each.id, each]));
  const first = new Map<string, Given>();
  for (const each of sent) if (!first.has(each.id)) first.set(each.id, each);
  const known = new Map<string, KnownItem>();
  const others = new Map<string, string[]>();
  [...unique.values()].forEach(({ id, content }, ordinal) => {
    const now = first.get(id);
    if (now === undefined) others.set(content, [...(others.get(content) ?? []), id]);
    else known.set(id, { ordinal, isSame: now.content === content, turnId: 't', label: null });
  });
  const input: ChangesInput = {
    items: sent.map((each, index) => ({ index, item: itemOf(each) })),
    known,
    others,
    isSame: (one, other) => one.contentHash === other.contentHash,
    keepKnown,
  };
  return { input, known, first };
}

const cases = fc.tuple(
  fc.array(given, { maxLength: 12 }),
  fc.array(given, { maxLength: 6 }),
  fc.boolean(),
);

test('every sent item is added, changed, unchanged or rejected, exactly once', () => {
  fc.assert(
    fc.property(cases, ([sent, stored, keepKnown]) => {
      const { input, known, first } = inputOf(sent, stored, keepKnown);
      const plan = planChanges(input);
      const { added, changed, unchanged, rejected } = plan;
      expect(added.length + changed.length + unchanged + rejected.length).toBe(sent.length);
      const stays = new Set([...added, ...changed].map(({ item }) => item.id));
      expect(stays.size).toBe(added.length + changed.length);
      for (const { item, ordinal } of added) {
        expect([ordinal, known.has(item.id)]).toEqual([null, false]);
        // Of two items with one id, the first counts.
        expect(item.contentHash).toBe(first.get(item.id)?.content);
      }
      for (const { item, ordinal } of changed) {
        expect(ordinal).toBe(known.get(item.id)?.ordinal);
        expect([known.get(item.id)?.isSame, item.turnId]).toEqual([false, 't']);
      }
      expect(keepKnown && changed.length > 0).toBe(false);
    }),
  );
});

test('only a repeated id with other content is rejected', () => {
  fc.assert(
    fc.property(cases, ([sent, stored, keepKnown]) => {
      const { input, first } = inputOf(sent, stored, keepKnown);
      const expected = sent.flatMap(({ id, content }, index) =>
        first.get(id)?.content === content ? [] : [index],
      );
      expect(planChanges(input).rejected.map(({ index }) => index)).toEqual(expected);
    }),
  );
});

test('a duplicate names another item with equal content, or its own repetition', () => {
  fc.assert(
    fc.property(cases, ([sent, stored, keepKnown]) => {
      const { input, first } = inputOf(sent, stored, keepKnown);
      const contents = new Map<string, string>(stored.map(({ id, content }) => [id, content]));
      for (const { index, id, sameAs } of planChanges(input).duplicates) {
        const content = sent[index]?.content;
        expect(first.get(sameAs)?.content ?? contents.get(sameAs)).toBe(content);
        const isFirst = sent.findIndex((each) => each.id === id) === index;
        expect(sameAs === id && isFirst).toBe(false);
      }
    }),
  );
});
