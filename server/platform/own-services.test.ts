import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { checkOutboundUrl } from './outbound-policy';
import { createOwnServices } from './own-services';

const own = createOwnServices(
  [3000, 4318],
  [
    'postgres://u:p@127.0.0.1:6543/assay',
    'redis://cache.internal',
    'https://assay.example.org',
    'postgres:///run/socket',
    null,
  ],
  () => ['192.168.7.9', '2001:db8::7', 'fe80::1'],
);
/** Even if the operator lists everything, Assay's own services stay forbidden. */
const policy = { allow: { has: () => true }, own };

const hosts = [
  '127.0.0.1',
  '127.1.2.3',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[0:0:0:0:0:0:0:1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'anything.localhost',
  '192.168.7.9',
  '[::ffff:192.168.7.9]',
  '[2001:db8::7]',
  '[2001:0db8:0:0:0:0:0:7]',
  hostname(),
];

it.each(hosts.flatMap((host) => [3000, 4318, 6543].map((port) => [host, port] as const)))(
  'S-123 an own port is refused even if the operator lists it: %s:%s',
  (host, port) => {
    expect(() => checkOutboundUrl(policy, `http://${host}:${port}/hook`)).toThrow(
      'a service of this installation',
    );
  },
);

it.each([
  'http://cache.internal:6379',
  'http://CACHE.internal.:6379',
  'https://assay.example.org/hook',
  'https://assay.example.org:443/',
])('S-123 an own service on another machine is refused: %s', (url) => {
  expect(() => checkOutboundUrl(policy, url)).toThrow('a service of this installation');
});

it.each([
  'http://127.0.0.1:9999/hook',
  'http://localhost:11434/v1',
  'http://192.168.7.9:8080/',
  'http://192.168.7.8:3000/',
  'https://example.org:3000/',
  'https://cache.internal/',
])(
  'S-123 another port of this machine, and the same port of another one, follow the operator’s list: %s',
  (url) => {
    expect(checkOutboundUrl(policy, url).href).toContain(new URL(url).host);
  },
);
