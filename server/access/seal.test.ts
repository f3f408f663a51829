import { expect, test } from 'vitest';
import { openSecret, rewrapSecret, type SecretPlace, sealSecret } from './seal';

const ctx = { env: { secret: 'a master secret of more than 32 characters' } };
const place: SecretPlace = {
  projectId: 'prj_a',
  table: 'destinations',
  column: 'secret_sealed',
  rowId: 'dst_1',
  origin: 'https://hooks.example.org',
};

test('S-99 a sealed secret opens in its own place, and is different text each time', () => {
  for (const plain of ['', 'whsec_abc', 'ünïcode 🔑 \u0000', 'x'.repeat(100_000)]) {
    const sealed = sealSecret(ctx, place, plain);
    expect(openSecret(ctx, place, sealed)).toBe(plain);
    expect(sealSecret(ctx, place, plain)).not.toBe(sealed);
  }
});

const otherPlaces: readonly Partial<SecretPlace>[] = [
  { projectId: 'prj_b' },
  { table: 'providers' },
  { column: 'headers_sealed' },
  { rowId: 'dst_2' },
  { origin: 'https://evil.example.org' },
  { origin: 'http://hooks.example.org' },
  { origin: 'https://hooks.example.org:444' },
  // The same bytes in sequence, split differently.
  { table: 'destination', column: 'ssecret_sealed' },
];

test.each(otherPlaces)('S-99 S-45 it does not open in another place: %o', (other) => {
  const sealed = sealSecret(ctx, place, 'whsec_abc');
  expect(() => openSecret(ctx, { ...place, ...other }, sealed)).toThrow('another place');
});

test('S-99 the text shows nothing of the secret', () => {
  const [, , ...parts] = sealSecret(ctx, place, 'whsec_abc').split('.');
  for (const part of parts)
    expect(Buffer.from(part, 'base64url').toString('latin1')).not.toContain('whsec');
});

test('S-99 tampered, foreign and cut text does not open', () => {
  const sealed = sealSecret(ctx, place, 'whsec_abc');
  const [form = '', id = '', wrapped = '', text = ''] = sealed.split('.');
  const flips = (part: string): string[] => {
    const bytes = Buffer.from(part, 'base64url');
    return Array.from(bytes, (byte, at) => {
      const flipped = Buffer.from(bytes);
      flipped[at] = byte ^ 1;
      return flipped.toString('base64url');
    });
  };
  for (const flipped of flips(wrapped))
    expect(() => openSecret(ctx, place, `${form}.${id}.${flipped}.${text}`)).toThrow(
      'another place',
    );
  for (const flipped of flips(text))
    expect(() => openSecret(ctx, place, `${form}.${id}.${wrapped}.${flipped}`)).toThrow(
      'another place',
    );
  for (const broken of [
    '',
    'v2',
    'v2..',
    'v2...',
    `v1.${id}.${text}`,
    `v1.${id}.${wrapped}.${text}`,
    `v2.${id}.${wrapped}`,
    `v3.${id}.${wrapped}.${text}`,
    `v2.${id}.${wrapped}.${text}.x`,
    `v2.${id}.AAAA.${text}`,
    `v2.${id}.${wrapped}.AAAA`,
    `v2.${id}.${text}.${wrapped}`,
    'whsec_abc',
    `${form}.${id}.${wrapped.slice(4)}.${text}`,
    `${form}.${id}.${wrapped}.${text.slice(4)}`,
  ]) {
    expect(() => openSecret(ctx, place, broken), broken).toThrow(
      /no sealed secret|another place|another ASSAY_SECRET/,
    );
  }
});

test('S-99 the key of one secret opens no other', () => {
  const [form, id, wrapped] = sealSecret(ctx, place, 'one').split('.');
  const [, , , text] = sealSecret(ctx, place, 'two').split('.');
  expect(() => openSecret(ctx, place, `${form}.${id}.${wrapped}.${text}`)).toThrow('another place');
});

test('S-99 another master key is reported as such; without one nothing is sealed', () => {
  const sealed = sealSecret(ctx, place, 'whsec_abc');
  expect(() => openSecret(other, place, sealed)).toThrow('another ASSAY_SECRET');
  expect(() => sealSecret({ env: { secret: null } }, place, 'x')).toThrow('ASSAY_SECRET');
});

const other = { env: { secret: 'another master secret of 32 characters' } };
/** Sealed by the previous release, which had no key per secret. */
const sealedByV1 = 'v1.76ce5a73.PmBMNqzqFUlwWp4gi5jLflAqnvo850yXdbac_lP_QzOSyty5vw';

test('S-99 text sealed by the previous release opens in its own place, and nowhere else', () => {
  expect(openSecret(ctx, place, sealedByV1)).toBe('whsec_abc');
  for (const each of otherPlaces)
    expect(() => openSecret(ctx, { ...place, ...each }, sealedByV1)).toThrow('another place');
});

test('S-99 under a new master key the secret’s key is wrapped again and the secret itself is unchanged', () => {
  const sealed = sealSecret(ctx, place, 'whsec_abc');
  const rotating = { env: { ...other.env, secretPrevious: ctx.env.secret } };
  expect(openSecret(rotating, place, sealed)).toBe('whsec_abc');
  const rewrapped = rewrapSecret(rotating, place, sealed) ?? '';
  expect(rewrapped.split('.')[3]).toBe(sealed.split('.')[3]);
  expect(rewrapped.split('.')[2]).not.toBe(sealed.split('.')[2]);
  expect(openSecret(other, place, rewrapped)).toBe('whsec_abc');
  expect(() => openSecret(ctx, place, rewrapped)).toThrow('another ASSAY_SECRET');
  expect(rewrapSecret(rotating, place, rewrapped)).toBeNull();
  expect(openSecret(other, place, rewrapSecret(rotating, place, sealedByV1) ?? '')).toBe(
    'whsec_abc',
  );
  expect(() => rewrapSecret(other, place, sealed)).toThrow('another ASSAY_SECRET');
  expect(() =>
    rewrapSecret(rotating, { ...place, origin: 'https://evil.example.org' }, sealed),
  ).toThrow('another place');
});
