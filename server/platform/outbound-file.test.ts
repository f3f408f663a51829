import { chmodSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOutboundAllow, outboundFile } from './outbound-file';

let dir = '';
let path = '';
let now = Date.now();
const warnings: string[] = [];
const onWarning = (warning: Error): void => void warnings.push(warning.message);

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-outbound-'));
  path = join(dir, outboundFile);
  now = Date.now();
  warnings.length = 0;
  process.on('warning', onWarning);
});
afterEach(() => {
  process.off('warning', onWarning);
  rmSync(dir, { recursive: true });
});

const open = () => createOutboundAllow(new Set(['listed.test:80']), dir, () => now);

test('S-48 a listed address may be called within a second, and no longer than a second after the file is removed', () => {
  const allow = open();
  expect([allow.has('listed.test:80'), allow.has('127.0.0.1:4390')]).toEqual([true, false]);
  writeFileSync(path, '127.0.0.1:4390, [::1]:4390\n', { mode: 0o644 });
  now += 1_000;
  expect(
    ['127.0.0.1:4390', '[::1]:4390', '127.0.0.1:4391', 'listed.test:80'].map((each) =>
      allow.has(each),
    ),
  ).toEqual([true, true, false, true]);
  rmSync(path);
  now += 1_000;
  expect(allow.has('127.0.0.1:4390')).toBe(false);
});

const validText = '127.0.0.1:4390';
test.each<{ what: string; text?: string; spoil?: () => void }>([
  { what: 'that others may write', spoil: () => chmodSync(path, 0o666) },
  { what: 'that the group may write', spoil: () => chmodSync(path, 0o664) },
  {
    what: 'that nobody has touched for a minute',
    spoil: () => utimesSync(path, now / 1000 - 61, now / 1000 - 61),
  },
  { what: 'with an address of another machine', text: `${validText},10.0.0.1:80` },
  { what: 'with a name', text: 'localhost:4390' },
  { what: 'whose text is no list of host:port', text: '127.0.0.1' },
  { what: 'that is too long', text: `${validText},`.repeat(400) },
])('S-48 a file $what is ignored', ({ text = validText, spoil }) => {
  writeFileSync(path, text, { mode: 0o644 });
  spoil?.();
  expect(open().has(validText)).toBe(false);
});

test('S-48 a symbolic link is ignored', () => {
  const target = join(dir, 'elsewhere');
  writeFileSync(target, validText, { mode: 0o644 });
  symlinkSync(target, path);
  expect(open().has(validText)).toBe(false);
});

test('a fault in the file is logged once', async () => {
  writeFileSync(path, 'nonsense', { mode: 0o644 });
  const allow = open();
  for (let n = 0; n < 3; n++) {
    allow.has(validText);
    now += 1_000;
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings.filter((text) => text.includes(path))).toHaveLength(1);
});

test('without a data folder only the environment counts', () => {
  expect(createOutboundAllow(new Set(['a.test:80']), null).has('a.test:80')).toBe(true);
});
