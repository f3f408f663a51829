import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEvalTarget } from './call-eval-target';

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/fails') response.writeHead(500).end('no key');
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

const context = { signal: new AbortController().signal };
const item = { id: 'one', input: 1 };

const errorOf = async (target: Parameters<typeof openEvalTarget>[0]): Promise<unknown> => {
  const answer = await openEvalTarget(target);
  return Promise.resolve(answer(item, context)).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : error),
  );
};

test.each([
  ['/fails', 'the target answered with the status 500: no key'],
  ['/', 'the target answered with an empty body'],
])('%s: the error of a server states the problem', async (path, message) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  expect(await errorOf({ type: 'url', url, headers: {}, body: undefined })).toBe(message);
});

test.each([
  ['false', 'exit code 1'],
  ['kill -9 $$', 'ended by SIGKILL'],
  [
    `printf 'Error: no key\\n    at run (a.js:1)\\n\\nNode.js v20\\n' >&2; exit 2`,
    'exit code 2: Error: no key',
  ],
  [`printf '%01000d' 7 >&2; exit 2`, `exit code 2: ${'7'.padStart(500, '0')}`],
  ['printf "\\n"', 'the command printed nothing'],
])('%s: the error of a command states the problem', async (command, message) => {
  expect(await errorOf({ type: 'command', command, folder: '.' })).toBe(message);
});
