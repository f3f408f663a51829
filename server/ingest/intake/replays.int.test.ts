import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createTestProject, createTestRuntime, drainWork } from '../../../testing/database';
import { createCaller, type Json } from '../../../testing/call';
import { reportFigure } from '../../../testing/figures';
import { clean, closeLedger, createLedger } from '../../../testing/ledger';
import { startEdge } from '../../../testing/processes';
import { createRandom } from '../../../testing/seed';
import { createStack, long, sampleTurn, type Stack } from '../../../testing/stack';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { summariseProject } from '../../verdicts';
import { getTurn } from '..';

let stack: Stack;
let second: Runtime;
let project: ProjectCtx;
let key: string;
let call: ReturnType<typeof createCaller>;
let callSecond: ReturnType<typeof createCaller>;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  second = createTestRuntime(stack.database.url);
});

beforeEach(async () => {
  project = await createTestProject(stack.runtime);
  ({ key } = await createKey(project, {
    name: 'test',
    scopes: ['ingest', 'verify', 'read', 'write'],
  }));
  call = createCaller(stack.runtime, key);
  callSecond = createCaller(second, key);
});

afterAll(async () => {
  await second.close();
  await stack.close();
});

const conflictFree = { conflicts: 0, rejected: [] };

test('R-71 X-10 the same batch ten times at once by two processes, then again later: one copy, one verdict, counted once', async () => {
  const batches = long ? 100 : 10;
  const edges = await Promise.all([startEdge(stack.variables), startEdge(stack.variables)]);
  const ledgers = edges.map((edge) => createLedger({ url: edge.url, key }));
  const turnsOf = (batch: number) =>
    Array.from({ length: 10 }, (_, i) => sampleTurn(`r71-${batch}-${i}`));
  let duplicates = 0;
  let accepted = 0;
  const send = async (batch: number, copy: number): Promise<void> => {
    const response = await fetch(`${edges[copy % 2]?.url}/v1/turns`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      // Every other copy has the opposite order: no row order may deadlock two commits.
      body: JSON.stringify({ turns: copy % 4 < 2 ? turnsOf(batch) : turnsOf(batch).reverse() }),
    });
    const reply = (await response.json()) as { accepted: number; duplicates: number };
    expect(response.status).toBe(202);
    expect(reply).toMatchObject(conflictFree);
    expect(reply.accepted + reply.duplicates).toBe(10);
    accepted += reply.accepted;
    duplicates += reply.duplicates;
  };
  for (let batch = 0; batch < batches; batch++) {
    await Promise.all(Array.from({ length: 10 }, (_, copy) => send(batch, copy)));
    if (batch % 2 === 0) await drainWork(stack.runtime);
  }
  await drainWork(stack.runtime);
  for (let batch = 0; batch < batches; batch++)
    await ledgers[batch % 2]?.postUntilAcked(turnsOf(batch));
  expect(await drainWork(stack.runtime)).toBe(0);
  const turns = batches * 10;
  expect({ accepted, duplicates }).toEqual({ accepted: turns, duplicates: turns * 9 });
  const sent = new Set(ledgers.flatMap((ledger) => [...ledger.sent]));
  const balance = await closeLedger(stack.sql, project.projectId, {
    sent,
    acked: sent,
    faults: ledgers.flatMap((ledger) => ledger.faults),
  });
  expect(balance).toMatchObject({ ...clean, sent: turns, stored: turns, verdicts: turns });
  const overview = await summariseProject(project, { days: 1 });
  expect(overview).toMatchObject({
    turns,
    answers: turns,
    outcomes: { failed: turns },
    waiting: 0,
  });
  reportFigure('R-71', {
    batches,
    'times each': 11,
    turns,
    copies: balance.stored,
    verdicts: balance.verdicts,
  });
  await Promise.all(edges.map((edge) => edge.kill()));
});

test('X-10 the same turn twice in one batch, and in two requests of one commit, is one turn', async () => {
  const reply = await call('/v1/turns', {
    turns: [sampleTurn('a'), sampleTurn('a'), sampleTurn('b')],
  });
  expect(reply.body).toEqual({ accepted: 2, duplicates: 1, conflicts: 0, rejected: [] });
  const other = sampleTurn('c', { output: 'other: 5 GB' });
  const replies = await Promise.all([
    call('/v1/turns', { turns: [sampleTurn('c')] }),
    call('/v1/turns', { turns: [other] }),
    call('/v1/turns', { turns: [other] }),
  ]);
  expect(replies.map((each) => each.status)).toEqual([202, 202, 202]);
  const sum = (name: string): number =>
    replies.reduce((total, each) => total + Number(each.body[name]), 0);
  expect([sum('accepted'), sum('duplicates'), sum('conflicts')]).toEqual([2, 1, 1]);
  await drainWork(stack.runtime);
  const sent = new Set(['a', 'b', 'c']);
  expect(
    await closeLedger(stack.sql, project.projectId, { sent, acked: sent, faults: [] }),
  ).toMatchObject(clean);
});

test('X-10 a repeat of content that could not be stored is not answered as a duplicate', async () => {
  await call('/v1/turns', { turns: [sampleTurn('d')] });
  const other = sampleTurn('d', { output: 'other: 6 GB' });
  await stack.sql.unsafe(`
    create function refuse_versions() returns trigger language plpgsql as $$ begin raise exception using errcode = '53100'; end $$;
    create trigger refuse_versions before insert on turn_versions for each row execute function refuse_versions()`);
  const replies = await Promise.all([
    call('/v1/turns', { turns: [other] }),
    call('/v1/turns', { turns: [other] }),
  ]);
  await stack.sql.unsafe('drop trigger refuse_versions on turn_versions');
  expect(replies.map((each) => each.status)).toEqual([503, 503]);
  expect((await call('/v1/turns', { turns: [other] })).body).toMatchObject({
    accepted: 1,
    conflicts: 1,
  });
  await drainWork(stack.runtime);
});

test('Idempotency-Key: the same key and body give the same answer, without ids too; another body is refused', async () => {
  const turn = { output: 'It is 5 GB.', tools: [{ result: '5 GB' }] };
  const first = await call('/v1/turns', { turns: [turn, turn] }, { 'idempotency-key': 'k-1' });
  expect(first).toMatchObject({ status: 202, body: { accepted: 2, duplicates: 0 } });
  for (const caller of [call, callSecond]) {
    expect(
      await caller('/v1/turns', { turns: [turn, turn] }, { 'idempotency-key': 'k-1' }),
    ).toMatchObject({
      status: 202,
      text: first.text,
    });
  }
  expect(await call('/v1/turns', { turns: [turn] }, { 'idempotency-key': 'k-1' })).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict' } },
  });
  expect(await call('/v1/verify/integrity', turn, { 'idempotency-key': 'k-1' })).toMatchObject({
    status: 409,
  });
  const verified = await call('/v1/verify/integrity', turn, { 'idempotency-key': 'k-2' });
  const again = await callSecond('/v1/verify/integrity', turn, { 'idempotency-key': 'k-2' });
  expect(again).toMatchObject({ status: 200, text: verified.text });
  expect(await stack.sql`select 1 from turns where project_id = ${project.projectId}`).toHaveLength(
    3,
  );
  await drainWork(stack.runtime);
  expect((await summariseProject(project, { days: 1 })).answers).toBe(3);
});

test('Idempotency-Key: ten copies at once run once; a crash before the answer was noted is repaired by the same ids', async () => {
  const turn = { output: 'It is 5 GB.', tools: [{ result: '5 GB' }] };
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      (i % 2 === 0 ? call : callSecond)('/v1/verify/integrity', turn, { 'idempotency-key': 'k-3' }),
    ),
  );
  expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
  await stack.sql`delete from idempotency_keys where project_id = ${project.projectId}`;
  const later = await call('/v1/verify/integrity', turn, { 'idempotency-key': 'k-3' });
  expect(later.body.id).toBe(replies[0]?.body.id);
  expect(
    await stack.sql`select 1 from verdicts where project_id = ${project.projectId}`,
  ).toHaveLength(1);
  expect(await stack.sql`select 1 from turns where project_id = ${project.projectId}`).toHaveLength(
    1,
  );
});

test('Idempotency-Key: an invalid key is refused', async () => {
  for (const bad of ['', 'x'.repeat(201), 'with space']) {
    expect((await call('/v1/turns', { turns: [] }, { 'idempotency-key': bad })).status).toBe(400);
  }
});

test('the verify route: a known id with the same body gives the same verdict, with another body 409', async () => {
  const turn = sampleTurn('v-1');
  const first = await call('/v1/verify/integrity', turn);
  expect(first.status).toBe(200);
  const again = await callSecond('/v1/verify/integrity', turn);
  expect(again).toMatchObject({
    status: 200,
    body: { id: first.body.id, settled_at: first.body.settled_at },
  });
  expect(await call('/v1/verify/integrity', { ...turn, output: 'Other 5.' })).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict' } },
  });
  expect(
    await stack.sql`select 1 from verdicts where project_id = ${project.projectId}`,
  ).toHaveLength(1);
});

test('R-73 R-74 other contents of one turn merge to the same turn in any order and number, flagged, all kept, the merged one verified', async () => {
  const versions: Json[] = [
    {
      output: 'It is 5 GB.',
      started_at: '2026-01-01T00:00:00Z',
      model: 'm-1',
      tools: [{ id: 'tc1', result: '5 GB' }],
    },
    { output: 'It is 6 GB.', ended_at: '2026-01-01T00:00:05+02:00', session_id: 's-1' },
    { output: 'It is 7 GB.', model: 'm-2', metadata: { b: 1, a: [1.5, { z: 1, y: 2 }] } },
    {
      output: null,
      envelope: { answer: 'It is 8 GB.', facts: [] },
      ended_at: '2026-01-01T00:00:09Z',
      trace_id: 't-1',
    },
  ];
  const random = createRandom('R-73');
  const orders = Array.from({ length: long ? 60 : 12 }, () =>
    random.shuffle([0, 1, 2, 3, random.between(0, 3)]),
  );
  const payloads = new Set<string>();
  for (const [index, order] of orders.entries()) {
    const id = `m-${index}`;
    for (const which of order) {
      const reply = await call('/v1/turns', { turns: [{ id, ...versions[which] }] });
      expect(reply.status).toBe(202);
    }
    const [row] = await stack.sql<
      {
        payload: string;
        flags: string[];
        revision: number;
        model: string;
        session_id: string;
        trace_id: string;
      }[]
    >`
      select payload, to_jsonb(flags) as flags, revision, model, session_id, trace_id from turns where project_id = ${project.projectId} and id = ${id}`;
    expect(row).toMatchObject({
      flags: ['conflict'],
      revision: 4,
      session_id: 's-1',
      trace_id: 't-1',
    });
    payloads.add(row?.payload.replace(`"${id}"`, '"m"') ?? '');
    expect(
      await stack.sql`select 1 from turn_versions where project_id = ${project.projectId} and turn_id = ${id}`,
    ).toHaveLength(4);
  }
  expect(payloads.size).toBe(1);
  await drainWork(stack.runtime);
  const ids = new Set(orders.map((_, index) => `m-${index}`));
  expect(
    await closeLedger(stack.sql, project.projectId, { sent: ids, acked: ids, faults: [] }),
  ).toMatchObject({
    ...clean,
    verdicts: ids.size,
  });
  expect((await getTurn(project, 'm-0')).content.envelope).toMatchObject({ answer: 'It is 8 GB.' });
});

test('R-73 one turn in two spellings and two contents: the same merge whatever came first', async () => {
  const texts = [
    '{"id":"same","output":"5 GB","model":"\\u0061"}',
    '{ "model" : "a", "output" : "5 GB", "id":"same" }',
    '{"id":"same","output":"6 GB"}',
  ];
  const results = new Set<string>();
  for (const order of [
    [0, 1, 2],
    [1, 0, 2],
    [2, 1, 0],
    [2, 0, 1],
    [0, 2, 1],
    [1, 2, 0],
  ]) {
    const own = await createTestProject(stack.runtime);
    const made = await createKey(own, { name: 'test', scopes: ['ingest'] });
    const send = createCaller(stack.runtime, made.key);
    for (const which of order) await send('/v1/turns', `{"turns":[${texts[which]}]}`);
    const [row] = await stack.sql<{ payload: string; content_hash: string; revision: number }[]>`
      select payload, content_hash, revision from turns where project_id = ${own.projectId}`;
    expect(row?.revision).toBe(2);
    results.add(`${row?.payload} ${row?.content_hash}`);
  }
  expect(results.size).toBe(1);
  await drainWork(stack.runtime);
});
