import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Edge, startEdge } from '../../../testing/processes';
import { createStack, sampleTurn, type Stack } from '../../../testing/stack';

/** Requests that a proxy in front could delimit in another way than this server. */

let stack: Stack;
let edge: Edge;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
});

afterAll(() => stack.close());

/** All bytes that the server sends until it closes the connection, which it must do by itself. */
function sendBytes(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(edge.url).port), host: '127.0.0.1' });
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.write(bytes, 'latin1');
  });
}

const bodyOf = (id: string): string => JSON.stringify({ turns: [sampleTurn(id)] });

/** A request with these header lines, followed on the same connection by a complete second one. */
function smuggle(path: string, lines: readonly string[], payload: string): string {
  const common = [
    'host: assay',
    `authorization: Bearer ${stack.key}`,
    'content-type: application/json',
  ];
  const hidden = bodyOf('smuggled');
  const second = [
    'POST /v1/turns HTTP/1.1',
    ...common,
    'connection: close',
    `content-length: ${hidden.length}`,
    '',
    hidden,
  ];
  return [`POST ${path} HTTP/1.1`, ...common, ...lines, '', payload + second.join('\r\n')].join(
    '\r\n',
  );
}

const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const body = bodyOf('first');
const framings: readonly { what: string; lines: readonly string[]; payload: string }[] = [
  {
    what: 'Content-Length before Transfer-Encoding',
    lines: [`content-length: ${body.length}`, 'transfer-encoding: chunked'],
    payload: chunked(body),
  },
  {
    what: 'Transfer-Encoding before Content-Length',
    lines: ['transfer-encoding: chunked', `content-length: ${body.length}`],
    payload: chunked(body),
  },
  {
    what: 'two different Content-Lengths',
    lines: [`content-length: ${body.length}`, 'content-length: 5'],
    payload: body,
  },
  {
    what: 'two equal Content-Lengths',
    lines: [`content-length: ${body.length}`, `content-length: ${body.length}`],
    payload: body,
  },
  {
    what: 'a list as Content-Length',
    lines: [`content-length: ${body.length}, ${body.length}`],
    payload: body,
  },
  { what: 'a signed Content-Length', lines: [`content-length: +${body.length}`], payload: body },
  {
    what: 'a folded header line',
    lines: ['x-folded: a', ` content-length: 5`, `content-length: ${body.length}`],
    payload: body,
  },
  {
    what: 'a folded Transfer-Encoding',
    lines: ['transfer-encoding:', ' chunked'],
    payload: chunked(body),
  },
  {
    what: 'a bare LF after a header line',
    lines: [`x-bare: a\ncontent-length: ${body.length}`],
    payload: body,
  },
  {
    what: 'a chunk, with a bare LF',
    lines: ['transfer-encoding: chunked'],
    payload: `${body.length.toString(16)}\n${body}\r\n0\r\n\r\n`,
  },
  {
    what: 'a space before the colon',
    lines: [`content-length : ${body.length}`],
    payload: body,
  },
  {
    what: 'an unknown coding after chunked',
    lines: ['transfer-encoding: chunked, identity'],
    payload: chunked(body),
  },
];

describe.each(['/v1/turns', '/gateway/none/v1/chat/completions'])('%s', (path) => {
  // The gateway answers that the route is unknown before it reads a body.
  const framed = framings.filter(({ what }) => path === '/v1/turns' || !what.includes('chunk,'));
  test.each(framed)(
    'R-101 $what is 400, the connection is closed, and nothing after it is a request',
    async ({ lines, payload }) => {
      const answer = await sendBytes(smuggle(path, lines, payload));
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer.match(/HTTP\/1\.1 \d{3} /g)).toHaveLength(1);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      expect(await stack.sql`select id from turns`).toEqual([]);
    },
  );
});

test('R-101 the same two requests with one framing each are both accepted', async () => {
  const answer = await sendBytes(smuggle('/v1/turns', [`content-length: ${body.length}`], body));
  expect(answer.match(/HTTP\/1\.1 \d{3} /g)).toEqual(['HTTP/1.1 202 ', 'HTTP/1.1 202 ']);
  const rows = await stack.sql<{ id: string }[]>`select id from turns order by id`;
  expect(rows.map((row) => row.id)).toEqual(['first', 'smuggled']);
});
