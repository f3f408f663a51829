import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Ctx } from '../platform';
import { createKeyCheck } from './key-cache';

const id = '0123456789abcdef0123';
const secret = 'A'.repeat(27);
const keyOf = (keyId: string): string => {
  const body = `asy_i_${keyId}_${secret}`;
  return body + createHash('sha256').update(body).digest('hex').slice(0, 6);
};
const key = keyOf(id);
const otherId = '1'.repeat(20);

/** A key check with a storage of one key, and an adjustable clock. */
function bench(keyRequestsPerSecond: number | null = null) {
  const state = { now: 1000, down: false, revoked: false, queries: 0, answerMs: 0 };
  const row = {
    id,
    project_id: 'prj_1',
    slug: 'p',
    name: 'k',
    scopes: ['ingest'],
    expires_ms: null as number | null,
    unused: false,
    secret_hash: createHash('sha256').update(secret).digest('hex'),
  };
  const other = { ...row, id: otherId };
  const sql = (_: unknown, ...values: unknown[]) => {
    state.queries++;
    if (state.down)
      return Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    const found = state.revoked ? [] : [row, other].filter((each) => each.id === values[0]);
    state.now += state.answerMs;
    return Promise.resolve(found);
  };
  Object.assign(sql, { options: { parsers: {}, serializers: {} } });
  const ctx = {
    sql,
    env: { keyRequestsPerSecond },
    clock: { now: () => new Date(), monotonicMs: () => state.now },
    log: { warn: () => undefined },
  } as unknown as Ctx;
  return { state, row, check: createKeyCheck(ctx) };
}

test('S-13: with storage unavailable a good key is honoured for 60 s, and not longer', async () => {
  const { state, check } = bench();
  await check.authorize(`Bearer ${key}`, 'ingest');
  state.down = true;
  state.now += 59_000;
  await expect(check.authorize(`Bearer ${key}`, 'ingest')).resolves.toMatchObject({
    projectId: 'prj_1',
  });
  state.now += 1_001;
  await expect(check.authorize(`Bearer ${key}`, 'ingest')).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('S-13: a key revoked before the outage is refused during it', async () => {
  const { state, check } = bench();
  await check.authorize(`Bearer ${key}`, 'ingest');
  state.revoked = true;
  state.now += 801;
  await expect(check.authorize(`Bearer ${key}`, 'ingest')).rejects.toMatchObject({
    code: 'unauthorized',
  });
  state.down = true;
  state.now += 801;
  await expect(check.authorize(`Bearer ${key}`, 'ingest')).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('S-13: an unknown key is never accepted while storage is unavailable, nor is a wrong secret of a known one', async () => {
  const { state, check } = bench();
  state.down = true;
  await expect(check.authorize(`Bearer ${key}`, 'ingest')).rejects.toMatchObject({
    code: 'unavailable',
  });
  state.down = false;
  await check.authorize(`Bearer ${key}`, 'ingest');
  state.down = true;
  const wrong = `asy_i_${id}_${'B'.repeat(27)}`;
  const sum = createHash('sha256').update(wrong).digest('hex').slice(0, 6);
  await expect(check.authorize(`Bearer ${wrong}${sum}`, 'ingest')).rejects.toMatchObject({
    code: 'unauthorized',
  });
});

test('S-12: the age of a look-up counts from its start: a slow response is an old one', async () => {
  const { state, check } = bench();
  state.answerMs = 900;
  await check.authorize(`Bearer ${key}`, 'ingest');
  state.revoked = true;
  await expect(check.authorize(`Bearer ${key}`, 'ingest')).rejects.toMatchObject({
    code: 'unauthorized',
  });
});

test('S-12: an impossible key is refused without a query', async () => {
  const { state, check } = bench();
  const wrongSum = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  const texts = [
    undefined,
    '',
    'Bearer',
    `Bearer ${wrongSum}`,
    `Basic ${key}`,
    key,
    `Bearer ${key} x`,
    `Bearer ${key.toUpperCase()}`,
    `Bearer ${key}\u0000`,
    `Bearer ${key}${'A'.repeat(20_000)}`,
    "Bearer asy_i_' or 1=1 --_x",
    `Bearer asy_i_${id}_${secret}`,
  ];
  for (const text of texts)
    await expect(check.authorize(text, 'ingest'), text).rejects.toMatchObject({
      code: 'unauthorized',
    });
  expect(state.queries).toBe(0);
});

test('a key expires while it is cached and storage is unavailable; a wrong secret learns nothing', async () => {
  const { state, row, check } = bench();
  row.expires_ms = Date.now() + 40;
  await check.authorize(`Bearer ${key}`, 'ingest');
  state.down = true;
  const message = await expect
    .poll(() => check.authorize(`Bearer ${key}`, 'ingest').catch((error: Error) => error.message))
    .toMatch(/^the API key expired at \d{4}-\d\d-\d\d \d\d:\d\d UTC;/)
    .then(() => check.authorize(`Bearer ${key}`, 'read').catch((error: Error) => error.message));
  expect(message).toMatch(/expired/);
  const guess = `asy_i_${id}_${'B'.repeat(27)}`;
  const sum = createHash('sha256').update(guess).digest('hex').slice(0, 6);
  await expect(check.authorize(`Bearer ${guess}${sum}`, 'ingest')).rejects.toMatchObject({
    code: 'unauthorized',
    message: 'the API key is unknown or was revoked; create one in the project settings',
  });
});

describe('S-111 the limit of a key', () => {
  const perSecond = 20;

  /** Ten times the limit for 30 s; the answers by their code. */
  async function flood(at: ReturnType<typeof bench>): Promise<Map<string, number>> {
    const answers = new Map<string, number>();
    for (let sent = 0; sent < perSecond * 10 * 30; sent++) {
      at.state.now += 1000 / (perSecond * 10);
      const answer = await at.check.authorize(`Bearer ${key}`, 'ingest').then(
        () => 'accepted',
        (error: { code: string; retryAfterS: number }) => `${error.code} ${error.retryAfterS}`,
      );
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
    return answers;
  }

  test('S-111 of ten times the limit for 30 s, the limit is accepted; the rest is 429 with Retry-After', async () => {
    const answers = await flood(bench(perSecond));
    const accepted = answers.get('accepted') ?? 0;
    // 30 s at the limit, and the burst after a pause.
    expect(accepted).toBeGreaterThanOrEqual(perSecond * 30);
    expect(accepted).toBeLessThanOrEqual(perSecond * 40 + 1);
    expect([...answers.keys()].toSorted()).toEqual(['accepted', 'rate_limited 1']);
  });

  test('S-111 other keys and keys with a wrong secret are unaffected, and do not use it up', async () => {
    const at = bench(perSecond);
    await flood(at);
    await expect(at.check.authorize(`Bearer ${keyOf(otherId)}`, 'ingest')).resolves.toBeDefined();
    const { check } = bench(1);
    const body = `asy_i_${id}_${'B'.repeat(27)}`;
    const guess = body + createHash('sha256').update(body).digest('hex').slice(0, 6);
    for (let tries = 0; tries < 50; tries++)
      await expect(check.authorize(`Bearer ${guess}`, 'ingest')).rejects.toMatchObject({
        code: 'unauthorized',
      });
    await expect(check.authorize(`Bearer ${key}`, 'ingest')).resolves.toBeDefined();
  });

  test('S-111 with storage unavailable it stays the same, and after a pause the key is accepted again', async () => {
    const at = bench(perSecond);
    await at.check.authorize(`Bearer ${key}`, 'ingest');
    at.state.down = true;
    const accepted = (await flood(at)).get('accepted') ?? 0;
    expect(accepted).toBeGreaterThanOrEqual(perSecond * 30);
    expect(accepted).toBeLessThanOrEqual(perSecond * 40 + 1);
    at.state.now += 1000;
    await expect(at.check.authorize(`Bearer ${key}`, 'ingest')).resolves.toBeDefined();
  });

  test('S-111 without a setting there is none', async () => {
    expect([...(await flood(bench())).keys()]).toEqual(['accepted']);
  });
});
