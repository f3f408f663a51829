import { expect, test } from 'vitest';
import type { ItemRuled, ReviewItem } from '@/app/_trpc/outputs';
import {
  reviewReducer,
  type ReviewEvent,
  type ReviewState,
  emptyReview,
  isUndoInFlight,
  isUnsaved,
  findRulingBatch,
  type RulingDraft,
} from './review-state';

const itemOf = (id: string): ReviewItem => ({
  id,
  verdictId: `ver_${id}`,
  kind: 'integrity',
  verifier: 'integrity@1',
  subjectId: `turn-${id}`,
  title: `How full is ${id}?`,
  queues: ['audit'],
  reason: null,
  raters: 1,
  ruled: 0,
  blind: false,
  state: 'open',
  verdictAt: new Date(0),
  reservedUntil: new Date(900_000),
  assignedTo: null,
  mine: null,
});
const items = ['a', 'b', 'c'].map(itemOf);
const [a, b, c] = items as [ReviewItem, ReviewItem, ReviewItem];
/** A request made after all events that the page knows. */
const asked = Number.POSITIVE_INFINITY;
const said: RulingDraft = { answer: 'fail', reason: 'wrong', grade: null, bulk: null };
const problem = { message: 'away', requestId: null, fields: {} };
const stored: ItemRuled = {
  item: { ...a, state: 'done' },
  seen: {
    machine: { verdict: 'sourced', outcome: 'passed', score: 1, threshold: null },
    issues: [],
    others: [],
  },
  agreement: {
    machine: { state: 'no_data', value: null, numerator: 0, denominator: 0, low: null, high: null },
    others: { state: 'no_data', value: null, numerator: 0, denominator: 0, low: null, high: null },
  },
};

const run = (events: readonly ReviewEvent[], at: string | null = null): ReviewState =>
  events.reduce(reviewReducer, emptyReview(at));
const idsOf = (state: ReviewState) => state.items.map(({ id }) => id);

test('a reload keeps the position, and an item that is no longer reserved is replaced by the first', () => {
  expect(run([{ type: 'reserved', items, asked }], 'b').at).toBe('b');
  expect(run([{ type: 'reserved', items, asked }], 'gone').at).toBe('a');
  expect(run([{ type: 'reserved', items: [], asked }], 'gone').at).toBeNull();
});

test("items reserved again keep the reviewer's order, and new items come last", () => {
  const state = run([
    { type: 'reserved', items: [b, a], asked },
    { type: 'reserved', items: [a, c, b], asked },
  ]);
  expect(idsOf(state)).toEqual(['b', 'a', 'c']);
});

test('j and k stop at the ends', () => {
  const down: ReviewEvent = { type: 'moved', step: 1 };
  const up: ReviewEvent = { type: 'moved', step: -1 };
  const start: ReviewEvent = { type: 'reserved', items, asked };
  expect(run([start, down]).at).toBe('b');
  expect(run([start, down, down, down, down]).at).toBe('c');
  expect(run([start, up]).at).toBe('a');
  expect(run([down]).at).toBeNull();
});

test.each([
  ['a', 'b'],
  ['b', 'c'],
  ['c', 'b'],
])('after ruling on %s the next item, %s, is shown before the server has answered', (from, to) => {
  const state = run([
    { type: 'reserved', items, asked },
    { type: 'opened', item: from },
    { type: 'ruled', item: itemOf(from), said },
  ]);
  expect(state.at).toBe(to);
  expect(idsOf(state)).not.toContain(from);
  expect(state.ruled).toMatchObject([{ item: { id: from }, stored: null }]);
});

test('an item with a ruling in flight does not come back with an earlier response', () => {
  const state = run([
    { type: 'reserved', items, asked },
    { type: 'ruled', item: a, said },
    { type: 'reserved', items, asked },
  ]);
  expect(idsOf(state)).toEqual(['b', 'c']);
});

test('a ruling that was not stored brings its item back, with a message, and does not change the shown item', () => {
  const ruled: readonly ReviewEvent[] = [
    { type: 'reserved', items, asked },
    { type: 'ruled', item: a, said },
    { type: 'refused', item: a, said, problem },
  ];
  const state = run(ruled);
  expect(idsOf(state)).toEqual(['a', 'b', 'c']);
  expect(state).toMatchObject({ at: 'b', ruled: [], unstored: [{ item: 'a', said, problem }] });
  expect(run([...ruled, { type: 'ruled', item: a, said }]).unstored).toEqual([]);
  const last = run([
    { type: 'reserved', items: [a], asked },
    { type: 'ruled', item: a, said },
    { type: 'refused', item: a, said, problem },
  ]);
  expect(last.at).toBe('a');
});

const taking: readonly ReviewEvent[] = [
  { type: 'reserved', items, asked },
  { type: 'ruled', item: a, said },
  { type: 'stored', stored },
  { type: 'opened', item: 'c' },
  { type: 'undoing', item: 'a', on: true },
];

test('undo shows the item before the server has answered, and until then it accepts no ruling', () => {
  const state = run(taking);
  expect(state.at).toBe('a');
  expect(idsOf(state)).toEqual(['a', 'b', 'c']);
  expect(isUndoInFlight(state)).toBe(true);
  expect(isUndoInFlight(reviewReducer(state, { type: 'moved', step: 1 }))).toBe(false);
  // A response in flight does not know about it.
  const late = reviewReducer(state, { type: 'reserved', items: [b, c], asked: 0 });
  expect(late.at).toBe('a');
  expect(isUndoInFlight(late)).toBe(true);
});

test('undo returns the item, and shows it', () => {
  const state = run([...taking, { type: 'undone', item: a }]);
  expect(state).toMatchObject({ at: 'a', ruled: [] });
  expect(isUndoInFlight(state)).toBe(false);
  expect(idsOf(state)).toEqual(['a', 'b', 'c']);
  expect(idsOf(reviewReducer(state, { type: 'reserved', items, asked }))).toEqual(['a', 'b', 'c']);
  expect(
    idsOf(reviewReducer(state, { type: 'reserved', items: [b, c], asked: state.tick - 1 })),
  ).toEqual(['a', 'b', 'c']);
});

test('a reviewer who moved to another item during an undo stays there', () => {
  const state = run([...taking, { type: 'moved', step: 1 }, { type: 'undone', item: a }]);
  expect(state.at).toBe('b');
  expect(idsOf(state)).toEqual(['a', 'b', 'c']);
});

test('an undo that was not stored leaves the ruling and the queue unchanged', () => {
  const before = run(taking.slice(0, -1));
  const after = run([...taking, { type: 'undoing', item: 'a', on: false }]);
  expect(after).toEqual(before);
  expect(after).toMatchObject({ at: 'c', ruled: [{ item: { id: 'a' }, isUndoing: false }] });
});

test.each([
  ['done by others', { ...a, state: 'done', reservedUntil: null }],
  ['taken off the queue', { ...a, state: 'withdrawn', reservedUntil: null }],
  ['in other hands', { ...a, reservedUntil: null }],
] as const)(
  'an item whose ruling was undone and is %s does not come into the list',
  (_why, back) => {
    const state = run([...taking, { type: 'undone', item: back }]);
    expect(idsOf(state)).toEqual(['b', 'c']);
    expect(state).toMatchObject({ at: 'c', ruled: [] });
  },
);

test('a ruling stored while items were requested does not come back with the response', () => {
  const state = run([
    { type: 'reserved', items, asked },
    { type: 'ruled', item: a, said },
    { type: 'stored', stored },
  ]);
  const late = reviewReducer(state, { type: 'reserved', items, asked: state.tick - 1 });
  expect(idsOf(late)).toEqual(['b', 'c']);
  expect(late.ruled).toHaveLength(1);
});

test('the same ruling twice is one, and all unstored rulings remain', () => {
  const many = Array.from({ length: 60 }, (_, n) => itemOf(`m${n}`));
  const rule = (item: ReviewItem): ReviewEvent => ({ type: 'ruled', item, said });
  expect(run([rule(a), rule(a)]).ruled).toHaveLength(1);
  expect(run(many.map(rule)).ruled).toHaveLength(60);
});

test('the page is unsaved while a ruling or an undo is in flight, or has failed', () => {
  const start: readonly ReviewEvent[] = [
    { type: 'reserved', items, asked },
    { type: 'ruled', item: a, said },
  ];
  expect(isUnsaved(run(start.slice(0, 1)))).toBe(false);
  expect(isUnsaved(run(start))).toBe(true);
  expect(isUnsaved(run([...start, { type: 'stored', stored }]))).toBe(false);
  expect(isUnsaved(run(taking))).toBe(true);
  expect(isUnsaved(run([...taking, { type: 'undone', item: a }]))).toBe(false);
  const refused: readonly ReviewEvent[] = [...start, { type: 'refused', item: a, said, problem }];
  expect(isUnsaved(run(refused))).toBe(true);
  expect(isUnsaved(run([...refused, { type: 'dismissed' }]))).toBe(false);
});

test('an item whose ruling was undone in another tab is open again, and no longer listed as ruled on', () => {
  const state = run([
    { type: 'reserved', items, asked },
    { type: 'ruled', item: a, said },
    { type: 'stored', stored },
    { type: 'reserved', items, asked },
  ]);
  expect(idsOf(state)).toEqual(['b', 'c', 'a']);
  expect(state.ruled).toEqual([]);
});

test('rulings from before a reload can still be undone, after newer ones', () => {
  const before = [{ item: a, said, stored, isUndoing: false, undoneFrom: null }];
  expect(run([{ type: 'recalled', ruled: before }]).ruled).toEqual(before);
  const since = run([
    { type: 'reserved', items, asked },
    { type: 'ruled', item: b, said },
    { type: 'recalled', ruled: before },
  ]);
  expect(since.ruled).toMatchObject([{ item: { id: 'b' } }, { item: { id: 'a' } }]);
  expect(reviewReducer(since, { type: 'recalled', ruled: before })).toEqual(since);
});

test('an item assigned to another person leaves, and one assigned to this person stays in its place', () => {
  const start: ReviewEvent = { type: 'reserved', items, asked };
  const mine = { ...b, assignedTo: 'me@example.org' };
  const kept = run([start, { type: 'assigned', item: mine }], 'b');
  expect(kept).toMatchObject({ items: [a, mine, c], at: 'b' });
  const given = run(
    [start, { type: 'assigned', item: { ...b, assignedTo: 'ben', reservedUntil: null } }],
    'b',
  );
  expect(given.at).toBe('c');
  expect(idsOf(given)).toEqual(['a', 'c']);
});

test('rulings made at once are undone together, and the item that was shown comes back last', () => {
  const similar = { ...itemOf('d'), reservedUntil: null };
  const atOnce: RulingDraft = { ...said, bulk: { of: 'a', items: 2 } };
  const state = run([
    { type: 'reserved', items, asked },
    { type: 'ruled', item: b, said },
    { type: 'ruled', item: similar, said: atOnce },
    { type: 'ruled', item: a, said: atOnce },
  ]);
  const [latest, , earlier] = state.ruled;
  const of = (ruled: typeof latest) =>
    ruled === undefined ? [] : findRulingBatch(state, ruled).map(({ item }) => item.id);
  expect(of(latest)).toEqual(['d', 'a']);
  expect(of(earlier)).toEqual(['b']);
});
