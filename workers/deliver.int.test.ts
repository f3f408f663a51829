import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { createTestProject, drainWork } from '../testing/database';
import { createCaller } from '../testing/call';
import { startWorker } from '../testing/processes';
import { createStack, sampleTurn, type Stack } from '../testing/stack';
import { until } from '../testing/until';
import { createKey, type ProjectCtx } from '../server/access';
import {
  createDestination,
  listDeliveries,
  replayDelivery,
  updateDestination,
} from '../server/deliveries';
import { CreateDestination } from '../server/deliveries/input';
import { runDeliveries } from './deliver';

interface Heard {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver on loopback that answers each call as the test sets; by default 200. */
const receiver = {
  port: 0,
  heard: [] as Heard[],
  answer: new Map<
    string,
    (response: ServerResponse, nth: number, request: IncomingMessage) => void
  >(),
  at: (path: string): Heard[] => receiver.heard.filter((each) => each.path === path),
};
let server: Server;
let stack: Stack;
let stopping: AbortController | null = null;
let running: Promise<void> = Promise.resolve();

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      receiver.heard.push({
        path,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      const answer = receiver.answer.get(path);
      if (answer === undefined) response.end('ok');
      else answer(response, receiver.at(path).length, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.port = (server.address() as AddressInfo).port;
  stack = await createStack(inject('databaseUrl'), {
    ASSAY_LEASE_MS: '1000',
    ASSAY_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}`,
  });
});

afterEach(async () => {
  await stopSender();
  await stack.sql`delete from destinations`;
  await stack.sql`delete from deliveries`;
  receiver.answer.clear();
  receiver.heard.length = 0;
});

afterAll(async () => {
  await stack.close();
  server.closeAllConnections();
  server.close();
});

function startSender(): void {
  stopping = new AbortController();
  running = runDeliveries(stack.runtime.ctx, { owner: 'test', signal: stopping.signal });
}

async function stopSender(): Promise<void> {
  stopping?.abort();
  await running;
}

let serial = 0;

/** One settled verdict, `failed` unless the turn says otherwise. Returns its id. */
async function settleOne(
  more: Readonly<Record<string, unknown>> = {},
  key = stack.key,
): Promise<string> {
  const id = `d-${++serial}`;
  const reply = await createCaller(stack.runtime, key)('/v1/turns', {
    turns: [sampleTurn(id, more)],
  });
  expect(reply.body).toMatchObject({ accepted: 1 });
  await drainWork(stack.runtime);
  const [verdict] = await stack.sql<
    { id: string }[]
  >`select id from verdicts where subject_id = ${typeof more.id === 'string' ? more.id : id}`;
  return verdict?.id ?? '';
}

const at = (path: string): string => `http://127.0.0.1:${receiver.port}${path}`;

async function hook(
  path: string,
  more: Record<string, unknown> = {},
  project: ProjectCtx = stack.project,
) {
  const input = CreateDestination.parse({ kind: 'webhook', name: path, url: at(path), ...more });
  const { destination, secret } = await createDestination(project, input);
  return { id: destination.id, secret: secret ?? '' };
}

const list = async (destination: string) =>
  (await listDeliveries(stack.project, { destination })).items;

/**
 * Waits until the only delivery of a destination matches `is`; makes pending retries run at once.
 */
async function pushUntil(
  destination: string,
  is: (delivery: Awaited<ReturnType<typeof list>>[number]) => boolean,
) {
  return until('the delivery', async () => {
    await stack.sql`update deliveries set due_at = now() where state = 'waiting' and owner is null and due_at < 'infinity'`;
    await stack.sql`select pg_notify('assay_deliveries', '')`;
    const [delivery] = await list(destination);
    return delivery !== undefined && is(delivery) ? delivery : null;
  });
}

test('R-82 a receiver that fails, hangs and resets gets the delivery in the end: under one id, with one body, signed each time', async () => {
  const { id, secret } = await hook('/r82', { headers: [{ name: 'X-Team', value: 'red' }] });
  receiver.answer.set('/r82', (response, nth, request) => {
    if (nth === 1) response.writeHead(500).end('no');
    else if (nth === 3) request.socket.destroy();
    else if (nth > 3) response.end('yes');
  });
  const verdictId = await settleOne();
  startSender();
  const delivered = await pushUntil(id, ({ state }) => state === 'delivered');
  expect(delivered).toMatchObject({ verdictId, attempts: 4, lastError: null });
  const calls = receiver.at('/r82');
  expect(calls).toHaveLength(4);
  expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
  for (const { headers, body } of calls) {
    expect(headers).toMatchObject({
      'webhook-id': delivered.id,
      'content-type': 'application/json',
      'x-team': 'red',
    });
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'verification.settled',
      data: { id: verdictId, outcome: 'failed', kind: 'integrity', state: 'settled' },
    });
    expect(() =>
      new Webhook(`whsec_${'A'.repeat(32)}`).verify(body, headers as Record<string, string>),
    ).toThrow('signature');
  }
});

test('R-82 a sender is killed in the middle: another one sends it, under the same id', async () => {
  const { id } = await hook('/killed');
  let begun = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    begun = resolve;
  });
  receiver.answer.set('/killed', (response, nth) => {
    if (nth === 1) begun();
    else response.end();
  });
  await settleOne();
  const victim = await startWorker(stack.variables);
  await first;
  await victim.kill();
  const other = await startWorker(stack.variables);
  const delivered = await until(
    'delivered',
    async () => (await list(id)).find(({ state }) => state === 'delivered') ?? null,
  );
  await other.kill();
  const calls = receiver.at('/killed');
  expect(calls.length).toBeGreaterThanOrEqual(2);
  expect(new Set(calls.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([delivered.id]),
  );
});

test('R-82 after eight attempts it is dead with the reason; replayed it arrives', async () => {
  const { id } = await hook('/dead');
  receiver.answer.set('/dead', (response) => void response.writeHead(503).end());
  await settleOne();
  startSender();
  const dead = await pushUntil(id, ({ state }) => state === 'dead');
  expect(dead).toMatchObject({
    attempts: 8,
    lastError: 'the receiver answered 503',
    nextAttemptAt: null,
  });
  expect(receiver.at('/dead')).toHaveLength(8);
  receiver.answer.delete('/dead');
  await replayDelivery(stack.project, dead.id);
  const again = await until(
    'delivered',
    async () => (await list(id)).find(({ state }) => state === 'delivered') ?? null,
  );
  expect(again).toMatchObject({ id: dead.id, attempts: 1 });
  const [audit] = await stack.sql`select action from audit_events where target = ${dead.id}`;
  expect(audit?.action).toBe('deliveries.replay');
});

test('R-82 a failed delivery is due again after 5, 10, 20 s', async () => {
  const { id } = await hook('/later');
  receiver.answer.set('/later', (response) => void response.writeHead(500).end());
  await settleOne();
  startSender();
  for (const seconds of [5, 10, 20]) {
    const failed = await until(
      'failed',
      async () => (await list(id)).find(({ lastError }) => lastError !== null) ?? null,
    );
    const [row] = await stack.sql<
      { wait: number }[]
    >`select extract(epoch from due_at - now())::float8 as wait from deliveries where id = ${failed.id}`;
    expect(row?.wait).toBeGreaterThan(seconds - 2);
    expect(row?.wait).toBeLessThanOrEqual(seconds);
    await stack.sql`update deliveries set due_at = now(), last_error = null`;
    await stack.sql`select pg_notify('assay_deliveries', '')`;
  }
});

test('R-82 a destination that hangs delays no other one', async () => {
  const slow = await hook('/slow');
  const quick = await hook('/quick');
  receiver.answer.set('/slow', () => undefined);
  for (let n = 0; n < 6; n++) await settleOne();
  startSender();
  await until('the quick one has all', async () =>
    (await list(quick.id)).every(({ state }) => state === 'delivered') ? true : null,
  );
  expect(receiver.at('/slow').length).toBeLessThan(9);
  expect(await list(quick.id)).toHaveLength(6);
  const waiting = await until('the slow one has failed', async () => {
    const items = await list(slow.id);
    return items.some(({ lastError }) => lastError !== null) ? items : null;
  });
  expect(waiting.every(({ state }) => state === 'waiting')).toBe(true);
});

test('R-82 each destination gets the outcomes it asked for; switched off, it gets none; of another project, nothing', async () => {
  const all = await hook('/all');
  const passed = await hook('/passed', { outcomes: ['passed'] });
  const off = await hook('/off', { enabled: false });
  const away = await createTestProject(stack.runtime);
  const foreign = await hook('/foreign', {}, away);
  const failed = await settleOne();
  const sourced = await settleOne({ output: 'web-1 is at 91.4%.' });
  startSender();
  await until('both', () =>
    receiver.at('/all').length === 2 && receiver.at('/passed').length === 1 ? true : null,
  );
  expect(new Set((await list(all.id)).map(({ verdictId }) => verdictId))).toEqual(
    new Set([failed, sourced]),
  );
  expect((await list(passed.id)).map(({ verdictId }) => verdictId)).toEqual([sourced]);
  expect(await list(off.id)).toEqual([]);
  expect((await listDeliveries(away, {})).items).toEqual([]);
  const { key } = await createKey(away, { name: 'k', scopes: ['ingest'] });
  await settleOne({}, key);
  await until('theirs', () => (receiver.at('/foreign').length === 1 ? true : null));
  expect(receiver.at('/all')).toHaveLength(2);
  expect((await listDeliveries(away, {})).items).toMatchObject([{ destinationId: foreign.id }]);
});

test('R-82 switched off with a pending delivery: it is kept, and sent when the destination is switched on', async () => {
  const { id } = await hook('/held');
  await settleOne();
  const as = { name: 'held', url: at('/held'), outcomes: [], rotate_secret: false };
  await updateDestination(stack.project, id, { ...as, enabled: false });
  startSender();
  expect((await list(id))[0]).toMatchObject({ state: 'waiting', nextAttemptAt: null });
  await updateDestination(stack.project, id, { ...as, enabled: true });
  await until('sent', () => (receiver.at('/held').length === 1 ? true : null));
});

test('S-40 a stored address that was changed in the database is not called', async () => {
  const { id } = await hook('/moved');
  const other = await hook('/moved2', { headers: [] });
  await stack.sql`update destinations set url = ${`http://127.0.0.1:${receiver.port + 1}/x`} where id = ${id}`;
  await stack.sql`update destinations set url = 'http://169.254.169.254/latest' where id = ${other.id}`;
  await settleOne();
  startSender();
  for (const destination of [id, other.id])
    expect(await pushUntil(destination, ({ state }) => state === 'dead')).toMatchObject({
      attempts: 1,
    });
  expect(receiver.heard).toEqual([]);
});

test('a verdict goes out as an OTLP span in its trace, below the span that it judges', async () => {
  const trace = 'a'.repeat(32);
  const input = CreateDestination.parse({
    kind: 'otlp',
    name: 'o',
    url: at('/collector'),
    headers: [{ name: 'x-key', value: 'k' }],
  });
  const { destination, secret } = await createDestination(stack.project, input);
  expect(secret).toBeNull();
  const named = await settleOne({ id: `${trace}-${'b'.repeat(16)}`, trace_id: trace });
  await settleOne({ trace_id: 'not of OpenTelemetry' });
  startSender();
  await until('both', async () =>
    (await list(destination.id)).filter(({ state }) => state === 'delivered').length === 2
      ? true
      : null,
  );
  const calls = receiver.at('/collector/v1/traces');
  expect(calls[0]?.headers).toMatchObject({ 'x-key': 'k', 'content-type': 'application/json' });
  const spans = calls.map(({ body }) => {
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { scope: unknown; spans: Record<string, unknown>[] }[] }[];
    };
    expect(resourceSpans[0]?.scopeSpans[0]?.scope).toEqual({ name: 'assay' });
    return resourceSpans[0]?.scopeSpans[0]?.spans[0] ?? {};
  });
  const span = spans.find(({ traceId }) => traceId === trace);
  expect(span).toMatchObject({
    parentSpanId: 'b'.repeat(16),
    name: 'evaluate integrity@1',
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  expect(span?.attributes).toContainEqual({
    key: 'assay.verification.id',
    value: { stringValue: named },
  });
  expect(span?.events).toMatchObject([
    {
      name: 'gen_ai.evaluation.result',
      attributes: expect.arrayContaining([
        { key: 'gen_ai.evaluation.name', value: { stringValue: 'integrity@1' } },
        { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0.5 } },
        { key: 'gen_ai.evaluation.score.label', value: { stringValue: 'unsourced' } },
      ]),
    },
  ]);
  const derived = spans.find(({ traceId }) => traceId !== trace);
  expect(derived?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(derived).not.toHaveProperty('parentSpanId');
});

test.each([
  [
    '400',
    (response: ServerResponse) => void response.writeHead(400).end(),
    'dead',
    'the collector answered 400',
  ],
  [
    'a rejected span',
    (response: ServerResponse) => void response.end('{"partialSuccess":{"rejectedSpans":"1"}}'),
    'dead',
    'the collector rejected the span',
  ],
  [
    '503',
    (response: ServerResponse) => void response.writeHead(503).end(),
    'waiting',
    'the collector answered 503',
  ],
])('R-2 a collector that answers %s', async (_, answer, state, lastError) => {
  const input = CreateDestination.parse({ kind: 'otlp', name: 'o', url: at('/c/v1/traces') });
  const { destination } = await createDestination(stack.project, input);
  receiver.answer.set('/c/v1/traces', answer);
  await settleOne();
  startSender();
  const failed = await until(
    'failed',
    async () => (await list(destination.id)).find((each) => each.lastError !== null) ?? null,
  );
  expect(failed).toMatchObject({ state, lastError, attempts: 1 });
});
