import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { streamFrames } from '../../bench/gateway/answers.mjs';
import { openWire, type WireReply } from '../../bench/gateway/wire-client';
import { reportFigure } from '../../testing/figures';
import { type Edge, startEdge } from '../../testing/processes';
import { canMeasureResident } from '../../testing/resident';
import { memoryOf } from '../../testing/span-call';
import { createStack, long, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import { createKey } from '../access';

/**
 * Many streams through a real edge (reliability.md 4.7): their bytes, and leaks in
 * the process.
 */

const frames = streamFrames('openai');
const whole = Buffer.concat(frames);
let stack: Stack;
let edge: Edge;
let upstream: Server;
let request: Buffer;
/** The upstream's handler, called once a request's body has arrived. */
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  upstream = createServer({ noDelay: true, keepAliveTimeout: 120_000 }, (incoming, response) => {
    incoming.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', 2_048, resolve));
  const { port } = upstream.address() as AddressInfo;
  stack = await createStack(inject('databaseUrl'), {
    ASSAY_OUTBOUND_ALLOW: `127.0.0.1:${port}`,
    ASSAY_DB_POOL: '10',
  });
  edge = await startEdge(stack.variables);
  const { key } = await createKey(stack.project, { name: 'gateway', scopes: ['gateway', 'write'] });
  await putRoutes(key, { upstream: `http://127.0.0.1:${port}/v1` });
  request = message(key);
});

afterEach(async () => {
  await stack.close();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});

/** `probe` takes the readiness calls, so that only the test's calls count for `streams`. */
async function putRoutes(key: string, settings: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (const route of ['streams', 'probe']) {
    const put = await fetch(`${edge.url}/v1/gateway/routes/${route}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(settings),
    });
    expect(put.status).toBe(200);
  }
  answer = (response) => void response.end();
  // The snapshot loads them in the background.
  await until('the routes serve', async () => {
    const reply = await fetch(`${edge.url}/gateway/probe/v1/models`, { headers });
    await reply.arrayBuffer();
    return reply.status === 200 ? true : null;
  });
}

function message(key: string): Buffer {
  const body = JSON.stringify({
    model: 'mock-1',
    stream: true,
    messages: [{ role: 'user', content: 'Tell me of the harbour.' }],
  });
  const head = [
    'POST /gateway/streams/v1/chat/completions HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const portOf = (url: string): number => Number(new URL(url).port);
const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const isWhole = ({ status, same }: WireReply): boolean => status === 200 && same;

/** Opens `count` streams over the connections. @returns the number of incomplete answers */
async function stream(count: number, connections: number): Promise<number> {
  const wires = await Promise.all(
    Array.from({ length: connections }, () => openWire(portOf(edge.url))),
  );
  let [sent, wrong] = [0, 0];
  await Promise.all(
    wires.map(async (wire) => {
      while (sent++ < count) if (!isWhole(await wire.send({ request, expected: whole }))) wrong++;
    }),
  );
  for (const wire of wires) wire.close();
  return wrong;
}

async function counted(): Promise<number> {
  const [row] = await stack.sql<{ calls: number }[]>`
    select coalesce(sum(calls), 0)::int as calls from gateway_rollups where project_id = ${stack.project.projectId} and verdict = 'not_verified'
      and reason = 'disabled' and route = 'streams'`;
  return row?.calls ?? 0;
}

test.skipIf(!canMeasureResident)(
  'consecutive streams leak nothing: memory and descriptors stay as after the first fifth',
  async () => {
    const part = long ? 20_000 : 400;
    answer = (response) => {
      for (const frame of frames) response.write(frame);
      response.end();
    };
    const begun = await counted();
    const memory: number[] = [];
    const descriptors: number[] = [];
    for (let n = 0; n < 5; n++) {
      expect(await stream(part, 32)).toBe(0);
      const sum = begun + part * (n + 1);
      await until(
        'all calls are counted',
        async () => ((await counted()) === sum ? true : null),
        120_000,
      );
      await until('all connections of clients are closed', () =>
        descriptorsOf(edge.pid) <= (descriptors[0] ?? Infinity) + 40 ? true : null,
      );
      memory.push(memoryOf(edge.pid) ?? 0);
      descriptors.push(descriptorsOf(edge.pid));
    }
    const [first = 0] = memory;
    reportFigure('streams through the gateway', {
      streams: part * 5,
      'other bytes than the upstream sent': 0,
      'MiB after each fifth': memory.map(Math.round).join(' '),
      'descriptors after each fifth': descriptors.join(' '),
    });
    // Young garbage (two halves of 32 MiB) and the record's queue come and go; 100,000 streams that
    // left 2 KiB each would be 160 MiB more.
    expect(Math.max(...memory) - first).toBeLessThan(120);
    expect(Math.max(...descriptors) - (descriptors[0] ?? 0)).toBeLessThanOrEqual(40);
  },
  long ? 900_000 : 120_000,
);

const atOnce = long ? 1_000 : 250;

test(`${atOnce} concurrent streams: each is complete, and none waits for another`, async () => {
  const open: ServerResponse[] = [];
  const begun = await counted();
  answer = (response) => {
    response.write(frames[0]);
    open.push(response);
  };
  const before = memoryOf(edge.pid) ?? 0;
  const wires = await Promise.all(Array.from({ length: atOnce }, () => openWire(portOf(edge.url))));
  let receivedCount = 0;
  for (const wire of wires) wire.socket.once('data', () => receivedCount++);
  const replies = wires.map((wire) => wire.send({ request, expected: whole }));
  // The first chunk of each has come to its client before any of them has ended.
  await until('all streams have begun', () =>
    receivedCount === atOnce && open.length === atOnce ? true : null,
  );
  const during = memoryOf(edge.pid) ?? 0;
  for (const frame of frames.slice(1)) for (const response of open) response.write(frame);
  for (const response of open) response.end();
  expect((await Promise.all(replies)).filter((reply) => !isWhole(reply))).toEqual([]);
  for (const wire of wires) wire.close();
  await until('all calls are counted', async () =>
    (await counted()) === begun + atOnce ? true : null,
  );
  reportFigure('streams open at once', {
    streams: atOnce,
    'KiB each': Math.round(((during - before) * 1024) / atOnce),
    broken: 0,
  });
});
