import { expect, test } from 'vitest';
import { createRandom } from '../../testing/seed';
import type { Verification } from '../client/turn';
import type { Api } from './api';
import { createFollower } from './tail';

/**
 * A server's list whose verdicts become visible later than their dates, like commits that end in
 * another order than they began.
 */
function createList(): {
  readonly api: Api;
  readonly add: (id: string, settledAt: number) => void;
} {
  const rows: { id: string; at: number }[] = [];
  const call: Api['call'] = async (_path, { query = {} } = {}) => {
    const from =
      query.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(String(query.from));
    const all = rows
      .filter(({ at }) => at >= from)
      .sort((a, b) => b.at - a.at || b.id.localeCompare(a.id));
    const start = Number(query.cursor ?? 0);
    const page = all.slice(start, start + 3);
    const data = page.map(({ id, at }) => ({ id, settled_at: new Date(at).toISOString() }));
    return { data, next_cursor: start + 3 < all.length ? String(start + 3) : null };
  };
  const api: Api = { url: '', call, callRaw: () => Promise.reject(new Error('not asked')) };
  return { api, add: (id, at) => void rows.push({ id, at }) };
}

const idsOf = (verdicts: readonly Verification[]): string[] => verdicts.map(({ id }) => id);

test('shows the latest past verdicts first, and nothing older', async () => {
  const { api, add } = createList();
  for (let at = 0; at < 10; at++) add(`v${at}`, 1_000_000 + at);
  const follower = createFollower(api, {});
  expect(idsOf(await follower.begin(4))).toEqual(['v6', 'v7', 'v8', 'v9']);
  expect(await follower.next()).toEqual([]);
  add('v10', 1_000_010);
  expect(idsOf(await follower.next())).toEqual(['v10']);
});

test('an empty project: the first verdict is the first line', async () => {
  const { api, add } = createList();
  const follower = createFollower(api, {});
  expect(await follower.begin(10)).toEqual([]);
  add('first', 5_000);
  expect(idsOf(await follower.next())).toEqual(['first']);
  expect(await follower.next()).toEqual([]);
});

test('none is shown twice and none is missed, in whatever order they become visible', async () => {
  const random = createRandom('assay tail');
  const { api, add } = createList();
  const follower = createFollower(api, {});
  const shown = idsOf(await follower.begin(10));
  const added: string[] = [];
  let clock = 1_000_000;
  for (let poll = 0; poll < 200; poll++) {
    for (let count = random.between(0, 8); count > 0; count--) {
      clock += random.between(0, 2000);
      const id = `v${added.length}`;
      added.push(id);
      add(id, clock - random.between(0, 4000));
    }
    shown.push(...idsOf(await follower.next()));
  }
  expect(shown.toSorted()).toEqual(added.toSorted());
});
