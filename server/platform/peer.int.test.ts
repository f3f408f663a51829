import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordPeers, readTrustedProxies, sourceOf } from './peer';

/** A server that answers with the detected source of the request. */
let port = 0;
let proxies = readTrustedProxies('');
const server = createServer((request, response) =>
  response.end(String(sourceOf(proxies, new Headers(request.headers as Record<string, string>)))),
);

beforeAll(async () => {
  recordPeers();
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const ask = async (headers: Record<string, string> = {}, host = '127.0.0.1') =>
  (await fetch(`http://${host}:${port}/`, { headers })).text();
const forged = {
  'x-assay-peer': 'x 203.0.113.9',
  'x-real-ip': '203.0.113.9',
  forwarded: 'for=203.0.113.9',
  'x-forwarded-for': '203.0.113.9',
};

it('S-121 the source is the socket’s address, whatever the headers say', async () => {
  proxies = readTrustedProxies('');
  expect([await ask(), await ask(forged)]).toEqual(['127.0.0.1', '127.0.0.1']);
});

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9, 127.0.0.1', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['not an address', '127.0.0.1'],
  ['', '127.0.0.1'],
])(
  'S-121 behind a trusted proxy the source is the last address before it: %s',
  async (chain, source) => {
    proxies = readTrustedProxies('127.0.0.0/8');
    expect(await ask({ 'x-forwarded-for': chain })).toBe(source);
  },
);

it('S-121 a proxy is an address or a range', () => {
  expect(readTrustedProxies('10.0.0.0/8, 192.0.2.7,2001:db8::/32')).toHaveLength(3);
  for (const wrong of ['proxy.internal', '10.0.0.0/33', '*'])
    expect(() => readTrustedProxies(wrong)).toThrow(wrong);
});
