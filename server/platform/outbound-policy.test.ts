import { expect, test } from 'vitest';
import { readEnv } from './env';
import {
  checkOutboundHeaders,
  checkOutboundUrl,
  isPublicAddress,
  readOutboundAllow,
} from './outbound-policy';

const allowNone = { allow: new Set<string>() };

/** Spellings of one address (S-39), then address ranges (S-42). */
const refusedUrls = `
  127.0.0.1 127.1 0x7f.1 0x7f000001 2130706433 0177.0.0.1 017700000001 0 0.0.0.0 １２７.0.0.1 ①②⑦.0.0.1
  [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [0:0:0:0:0:0:0:1] 127.0.0.1.
  10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.100.100.200 169.254.169.254 224.0.0.1
  255.255.255.255 192.0.0.192 198.18.0.1 168.63.129.16 [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1]
  [64:ff9b::7f00:1] [64:ff9b:1::1] [2002:7f00:1::] [2001:0:1::1] [100::1] [fec0::1] [2001:db8::1] [::2]`
  .trim()
  .split(/\s+/)
  .map((host) => `http://${host}/hook`);

const refusedForms = [
  '',
  'hooks.example.org',
  'ftp://example.org/',
  'file:///etc/passwd',
  'gopher://example.org/',
  'data:text/plain,x',
  'unix:/run/x.sock',
  'ws://example.org/',
  'javascript:alert(1)',
  'http://user:secret@example.org/',
  'http://user@example.org/',
  'http://example.org\\@127.0.0.1/',
  'http://127.0.0.1\\@example.org/',
  'http://example.org#@127.0.0.1/',
  'https://example.org/ x',
  'https://exam\nple.org/',
  '\thttps://example.org/',
  'http://[fe80::1%25eth0]/',
];

const refusedPorts = [21, 22, 25, 110, 444, 2375, 3306, 5432, 6379, 9200, 11211, 27017].map(
  (port) => `http://example.org:${port}/`,
);

test.each([...refusedUrls, ...refusedForms, ...refusedPorts])(
  'S-39 S-42 S-44 refused as text: %j',
  (url) => {
    expect(() => checkOutboundUrl(allowNone, url)).toThrow(
      expect.objectContaining({ code: 'refused' }),
    );
  },
);

test.each([
  'https://hooks.example.org/a?b=c',
  'http://example.org/',
  'https://example.org:8443/',
  'http://8.8.8.8/',
  'https://[2606:4700::1111]/',
])('S-39 allowed as text: %s', (url) => {
  expect(checkOutboundUrl(allowNone, url).href).toBe(url);
});

test('S-48 the operator lists single hosts with their ports, and allows nothing else', () => {
  const allow = readOutboundAllow(' 127.0.0.1:9999, OLLAMA.internal:11434,[::1]:80 ,');
  expect([...allow]).toEqual(['127.0.0.1:9999', 'ollama.internal:11434', '[::1]:80']);
  for (const url of [
    'http://127.0.0.1:9999/x',
    'http://2130706433:9999/',
    'http://ollama.internal:11434/',
    'http://ollama.internal.:11434/',
    'http://[::1]/',
  ])
    expect(checkOutboundUrl({ allow }, url)).toBeInstanceOf(URL);
  for (const url of [
    'http://127.0.0.1:9998/',
    'http://127.0.0.2:9999/',
    'http://localhost.:25/',
    'http://[::1]:81/',
    'http://a@127.0.0.1:9999/',
  ])
    expect(() => checkOutboundUrl({ allow }, url), url).toThrow('url:');
  for (const bad of ['127.0.0.1', 'http://x:1', 'x:1/path', 'a@x:1', 'x:99999'])
    expect(() => readOutboundAllow(bad), bad).toThrow('host:port');
  expect(() => readEnv({ DATABASE_URL: 'x', ASSAY_OUTBOUND_ALLOW: 'nonsense' })).toThrow(
    /ASSAY_OUTBOUND_ALLOW.*host:port/,
  );
});

test('S-42 addresses that a name may resolve to', () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:10.0.0.1',
    '::10.0.0.1',
    'fe80::1%eth0',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'x',
    '',
  ]) {
    expect(isPublicAddress(address), address).toBe(false);
  }
  for (const address of ['1.1.1.1', '::ffff:1.1.1.1', '2606:4700::1111'])
    expect(isPublicAddress(address), address).toBe(true);
});

test.each([
  ['Metadata-Flavor', 'Google'],
  ['x-aws-ec2-metadata-token', 'x'],
  ['Metadata', 'true'],
  ['Host', 'x'],
  ['Transfer-Encoding', 'chunked'],
  ['a b', 'x'],
  ['', 'x'],
  ['x:y', 'x'],
  ['x-y', 'a\r\nb: c'],
  ['x-y', 'a\nb'],
  ['x-y', 'ü'],
])('S-49 S-50 a forbidden header: %j: %j', (name, value) => {
  expect(() => checkOutboundHeaders(new Map([[name, value]]))).toThrow(
    expect.objectContaining({ code: 'refused' }),
  );
});

test('S-49 allowed headers', () => {
  const headers = new Map([
    ['Authorization', 'Bearer x'],
    ['x-team', 'a b'],
  ]);
  expect(() => checkOutboundHeaders(headers)).not.toThrow();
});
