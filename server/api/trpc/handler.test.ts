import { expect, test } from 'vitest';
import { admitSameOrigin } from './handler';

const post = (origin: string) =>
  new Request('http://localhost:3000/api/trpc/x', {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: '{}',
  });

test.each<[string, string, boolean]>([
  ['http://localhost:3000', 'http://localhost:3000', true],
  ['http://127.0.0.1:3000', 'http://localhost:3000', true],
  ['http://[::1]:3000', 'http://127.0.0.1:3000', true],
  ['http://127.0.0.1:3001', 'http://localhost:3000', false],
  ['https://127.0.0.1:3000', 'http://localhost:3000', false],
  ['http://localhost.evil.example:3000', 'http://localhost:3000', false],
  ['http://127.0.0.1:3000', 'https://assay.example', false],
  ['null', 'http://localhost:3000', false],
])('S-60: from %s to the console at %s', async (origin, webUrl, admitted) => {
  expect('request' in (await admitSameOrigin(post(origin), webUrl))).toBe(admitted);
});
