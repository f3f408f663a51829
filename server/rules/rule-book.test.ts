import { expect, test } from 'vitest';
import type { Ctx } from '../platform';
import type { RuleTurn } from '../ingest';
import { createRuleBook } from './rule-book';

/** A rule book on a storage with one rule, with a controllable clock. */
function bench() {
  const state = {
    now: 1000,
    down: false,
    verifier: 'integrity',
    queries: 0,
    held: null as Promise<void> | null,
  };
  const sql = async () => {
    state.queries++;
    if (state.down) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const row = {
      name: state.verifier,
      version: 1,
      verifier: 'integrity',
      target: 'turn',
      filter: {},
      sampling: 1,
      delay_seconds: 0,
      daily_budget: null,
      enabled: true,
    };
    await state.held;
    return [row];
  };
  const ctx = {
    sql,
    clock: { now: () => new Date(), monotonicMs: () => state.now },
    log: { warn: () => undefined },
  } as unknown as Ctx;
  return { state, book: createRuleBook(ctx) };
}

const turn: RuleTurn = {
  projectId: 'prj_1',
  id: 't-1',
  sessionId: null,
  traceId: null,
  userId: null,
  source: null,
  model: null,
  origin: 'api',
  tags: [],
  metadata: {},
  hasSources: false,
  answerChars: 1,
};

test('R-32 many concurrent turns read the rules once, and again after 800 ms', async () => {
  const { state, book } = bench();
  const [planned] = await Promise.all([
    book.planTurns([turn, { ...turn, id: 't-2' }]),
    book.planTurns([turn]),
    book.planTurns([turn]),
  ]);
  expect(planned?.map((each) => each.verdicts.length)).toEqual([1, 1]);
  expect(planned?.[0]?.verdicts[0]?.verdictId).toMatch(/^ver_[0-9a-z]{26}$/);
  expect(planned?.[0]?.verdicts[0]?.verdictId).not.toBe(planned?.[1]?.verdicts[0]?.verdictId);
  expect(state.queries).toBe(1);
  state.now += 799;
  await book.planTurns([turn]);
  expect(state.queries).toBe(1);
  state.now += 2;
  await book.planTurns([turn]);
  expect(state.queries).toBe(2);
});

test('R-32 while storage is unavailable the cached rules are used for 60 s, and no longer', async () => {
  const { state, book } = bench();
  await book.planTurns([turn]);
  state.down = true;
  state.now += 59_000;
  expect((await book.planTurns([turn]))[0]?.verdicts).toHaveLength(1);
  state.now += 1_001;
  await expect(book.planTurns([turn])).rejects.toMatchObject({ code: 'unavailable' });
  state.down = false;
  expect((await book.planTurns([turn]))[0]?.verdicts).toHaveLength(1);
});

test('R-32 rules that were never read cannot be used', async () => {
  const { state, book } = bench();
  state.down = true;
  await expect(book.planTurns([turn])).rejects.toMatchObject({ code: 'unavailable' });
});

test('X-10 a change made in this process applies to the next turn, even if an earlier read returns late', async () => {
  const { state, book } = bench();
  let release = () => {};
  state.held = new Promise((resolve) => (release = resolve));
  const late = book.planTurns([turn]);
  state.verifier = 'renamed';
  book.forget('prj_1');
  const fresh = book.planTurns([turn]);
  release();
  expect((await late)[0]?.decisions[0]?.rule).toBe('integrity');
  expect((await fresh)[0]?.decisions[0]?.rule).toBe('renamed');
  expect((await book.planTurns([turn]))[0]?.decisions[0]?.rule).toBe('renamed');
  expect(state.queries).toBe(2);
});
