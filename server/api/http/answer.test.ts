import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Logger } from '../../platform';
import { answerUnreadable } from './answer';

const logged: unknown[] = [];
const log = { error: (entry: unknown) => logged.push(entry) } as unknown as Logger;
const clock = { now: () => new Date('2026-07-23T12:00:00Z'), monotonicMs: () => 0 };
let server: Server;

beforeAll(async () => {
  const listen = getRequestListener(
    (request) => {
      if (request.url.endsWith('/fault')) throw new Error('a secret');
      return new Response('read');
    },
    { errorHandler: (error) => answerUnreadable({ clock, log }, error) },
  );
  server = createServer((request, response) => void listen(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => server.close());

async function ask(path: string, host = 'assay'): Promise<readonly [IncomingMessage, string]> {
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { host } }, resolve).on('error', reject);
  });
  return [response, await text(response)];
}

test.each([
  ['a host that cannot be read', '/v1/turns', 'a^b', 400, 'invalid_request'],
  ['a fault before a route', '/fault', 'assay', 500, 'internal'],
])(
  'S-56 S-57 the answer to %s is data that loads and runs nothing',
  async (_, path, host, status, code) => {
    const [{ statusCode, headers }, body] = await ask(path, host);
    expect([statusCode, JSON.parse(body)]).toMatchObject([status, { error: { code } }]);
    expect(body).not.toContain('a secret');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    });
  },
);
