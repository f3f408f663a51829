import { expect, test } from 'vitest';
import { openSecret, type SecretPlace, sealSecret } from './seal';

const ctx = { env: { secret: 'a master secret of more than 32 characters' } };
const place: SecretPlace = {
  projectId: 'prj_a',
  table: 'destinations',
  column: 'secret_sealed',
  rowId: 'dst_1',
  origin: 'https://hooks.example.org',
};

test('S-99 what was sealed opens in its own place, and is different text each time', () => {
  for (const plain of ['', 'whsec_abc', 'ünïcode 🔑 \u0000', 'x'.repeat(100_000)]) {
    const sealed = sealSecret(ctx, place, plain);
    expect(openSecret(ctx, place, sealed)).toBe(plain);
    expect(sealSecret(ctx, place, plain)).not.toBe(sealed);
  }
});

const elsewhere: readonly Partial<SecretPlace>[] = [
  { projectId: 'prj_b' },
  { table: 'providers' },
  { column: 'headers_sealed' },
  { rowId: 'dst_2' },
  { origin: 'https://evil.example.org' },
  { origin: 'http://hooks.example.org' },
  { origin: 'https://hooks.example.org:444' },
  // The same bytes in a row, cut elsewhere.
  { table: 'destination', column: 'ssecret_sealed' },
];

test.each(elsewhere)('S-99 S-45 it does not open in another place: %o', (other) => {
  const sealed = sealSecret(ctx, place, 'whsec_abc');
  expect(() => openSecret(ctx, { ...place, ...other }, sealed)).toThrow('another place');
});

test('S-99 the text shows nothing of the secret', () => {
  expect(Buffer.from(sealSecret(ctx, place, 'whsec_abc').split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('whsec');
});

test('S-99 tampered, foreign and cut text does not open', () => {
  const sealed = sealSecret(ctx, place, 'whsec_abc');
  const [form = '', id = '', text = ''] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    expect(() => openSecret(ctx, place, `${form}.${id}.${flipped.toString('base64url')}`)).toThrow('another place');
  }
  for (const broken of [
    '',
    'v1',
    'v1..',
    `v2.${id}.${text}`,
    `v1.${id}.${text}.x`,
    `v1.${id}.AAAA`,
    'whsec_abc',
    `${form}.${id}.${text.slice(4)}`,
  ]) {
    expect(() => openSecret(ctx, place, broken), broken).toThrow(/no sealed secret|another place|another ASSAY_SECRET/);
  }
});

test('S-99 another master key is named as such; without one nothing is sealed', () => {
  const sealed = sealSecret(ctx, place, 'whsec_abc');
  expect(() => openSecret({ env: { secret: 'another master secret of 32 characters' } }, place, sealed)).toThrow('another ASSAY_SECRET');
  expect(() => sealSecret({ env: { secret: null } }, place, 'x')).toThrow('ASSAY_SECRET');
});
