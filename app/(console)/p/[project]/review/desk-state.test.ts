import { expect, test } from 'vitest';
import type { ItemRuled, ReviewItem } from '@/app/_trpc/outputs';
import { deskReducer, type DeskEvent, type DeskState, emptyDesk, type Said } from './desk-state';

const itemOf = (id: string): ReviewItem => ({
  id,
  verdictId: `ver_${id}`,
  kind: 'integrity',
  verifier: 'integrity@1',
  subjectId: `turn-${id}`,
  queues: ['audit'],
  reason: null,
  raters: 1,
  ruled: 0,
  blind: false,
  state: 'open',
  verdictAt: new Date(0),
  reservedUntil: null,
  mine: null,
});
const items = ['a', 'b', 'c'].map(itemOf);
const [a, b, c] = items as [ReviewItem, ReviewItem, ReviewItem];
const said: Said = { answer: 'fail', reason: 'wrong', grade: null };
const problem = { message: 'away', requestId: null, fields: {} };
const told: ItemRuled = {
  item: { ...a, state: 'done' },
  seen: { machine: { verdict: 'sourced', outcome: 'passed', score: 1, threshold: null }, issues: [], others: [] },
  agreement: {
    machine: { state: 'no_data', value: null, numerator: 0, denominator: 0, low: null, high: null },
    others: { state: 'no_data', value: null, numerator: 0, denominator: 0, low: null, high: null },
  },
};

const run = (events: readonly DeskEvent[], at: string | null = null): DeskState => events.reduce(deskReducer, emptyDesk(at));
const idsOf = (state: DeskState) => state.items.map(({ id }) => id);

test('a reload keeps the position, and an item that is no longer held gives way to the first', () => {
  expect(run([{ type: 'reserved', items }], 'b').at).toBe('b');
  expect(run([{ type: 'reserved', items }], 'gone').at).toBe('a');
  expect(run([{ type: 'reserved', items: [] }], 'gone').at).toBeNull();
});

test('what is handed out again keeps the order that a person has begun, and new items come last', () => {
  const state = run([
    { type: 'reserved', items: [b, a] },
    { type: 'reserved', items: [a, c, b] },
  ]);
  expect(idsOf(state)).toEqual(['b', 'a', 'c']);
});

test('j and k stop at the ends', () => {
  const down: DeskEvent = { type: 'moved', step: 1 };
  const up: DeskEvent = { type: 'moved', step: -1 };
  const start: DeskEvent = { type: 'reserved', items };
  expect(run([start, down]).at).toBe('b');
  expect(run([start, down, down, down, down]).at).toBe('c');
  expect(run([start, up]).at).toBe('a');
  expect(run([down]).at).toBeNull();
});

test.each([
  ['a', 'b'],
  ['b', 'c'],
  ['c', 'b'],
])('after ruling on %s the next item, %s, is there before the server has answered', (from, to) => {
  const state = run([
    { type: 'reserved', items },
    { type: 'opened', item: from },
    { type: 'ruled', item: itemOf(from), said },
  ]);
  expect(state.at).toBe(to);
  expect(idsOf(state)).not.toContain(from);
  expect(state.ruled).toMatchObject([{ item: { id: from }, told: null }]);
});

test('an item that is being ruled on does not come back with an answer that was on its way', () => {
  const state = run([
    { type: 'reserved', items },
    { type: 'ruled', item: a, said },
    { type: 'reserved', items },
  ]);
  expect(idsOf(state)).toEqual(['b', 'c']);
});

test('a ruling that was not stored brings its item back, says so, and moves nobody away from what they read', () => {
  const ruled: readonly DeskEvent[] = [
    { type: 'reserved', items },
    { type: 'ruled', item: a, said },
    { type: 'refused', item: a, said, problem },
  ];
  const state = run(ruled);
  expect(idsOf(state)).toEqual(['a', 'b', 'c']);
  expect(state).toMatchObject({ at: 'b', ruled: [], unstored: [{ item: 'a', said, problem }] });
  expect(run([...ruled, { type: 'ruled', item: a, said }]).unstored).toEqual([]);
  const last = run([
    { type: 'reserved', items: [a] },
    { type: 'ruled', item: a, said },
    { type: 'refused', item: a, said, problem },
  ]);
  expect(last.at).toBe('a');
});

test('undo gives the item back, and it is the one that is shown', () => {
  const state = run([
    { type: 'reserved', items },
    { type: 'ruled', item: a, said },
    { type: 'stored', told },
    { type: 'undoing', item: 'a', on: true },
    { type: 'undone', item: a },
  ]);
  expect(state).toMatchObject({ at: 'a', ruled: [] });
  expect(idsOf(state)).toEqual(['a', 'b', 'c']);
  expect(idsOf(deskReducer(state, { type: 'reserved', items }))).toEqual(['a', 'b', 'c']);
});

test('an item that was taken back elsewhere is there again, and is no longer called ruled on', () => {
  const state = run([
    { type: 'reserved', items },
    { type: 'ruled', item: a, said },
    { type: 'stored', told },
    { type: 'reserved', items },
  ]);
  expect(idsOf(state)).toEqual(['b', 'c', 'a']);
  expect(state.ruled).toEqual([]);
});

test('what was ruled on before a reload can still be taken back, and gives way to what was ruled on since', () => {
  const before = [{ item: a, said, told, isUndoing: false }];
  expect(run([{ type: 'recalled', ruled: before }]).ruled).toEqual(before);
  const since = run([
    { type: 'reserved', items },
    { type: 'ruled', item: b, said },
    { type: 'recalled', ruled: before },
  ]);
  expect(since.ruled).toMatchObject([{ item: { id: 'b' } }]);
});
