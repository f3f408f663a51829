import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../platform';
import { containsAssayKey, queryWithoutKeys } from './assay-key';
import { requestHeaders } from './headers';

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const hex = '0123456789abcdef';
const key = fc
  .record({
    letters: fc.constantFrom('ivrwg', 'i', 'gr', 'ivrwgip'),
    id: fc.string({ unit: fc.constantFrom(...hex.split('')), minLength: 20, maxLength: 20 }),
    secret: fc.string({
      unit: fc.constantFrom(...characters.split('')),
      minLength: 27,
      maxLength: 27,
    }),
  })
  .map(({ letters, id, secret }) => {
    const body = `asy_${letters}_${id}_${secret}`;
    return body + sha256(body).slice(0, 6);
  });

const everyByte = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
/** Encodings of a key in a text. */
const spellings: readonly ((key: string) => string)[] = [
  (text) => text,
  (text) => `Bearer ${text}`,
  (text) => `a, ${text} b`,
  (text) => text.toUpperCase(),
  (text) => `Basic ${Buffer.from(`user:${text}`).toString('base64')}`,
  (text) => `Basic ${Buffer.from(`${text}:`).toString('base64url')}`,
  (text) => `token/${Buffer.from(`:${text}`).toString('base64')}`,
  (text) => `id-${Buffer.from(`${text}`).toString('base64url')}`,
  (text) => everyByte(text),
  (text) => everyByte(everyByte(text)),
  (text) => text.replaceAll('_', '%5F'),
  (text) => `{"k":"${text}"}`,
];
const written = fc.tuple(key, fc.constantFrom(...spellings)).map(([text, spell]) => spell(text));
const names = fc.constantFrom(
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'X-Anything',
  'cookie',
  'referer',
  'x-assay-key',
  'user-agent',
);
const rules = { credential: null, passCredentials: true, askIdentity: false, keepLength: true };

describe('S-122 no Assay key goes upstream', () => {
  it('S-122 in any header, in any encoding', () => {
    fc.assert(
      fc.property(names, written, (name, value) => {
        const sent = requestHeaders([name, value, 'x-kept', 'yes'], rules);
        expect(sent).toEqual(['x-kept', 'yes']);
      }),
    );
  });

  it('S-122 in a cookie: the other cookies stay', () => {
    fc.assert(
      fc.property(written, (value) => {
        fc.pre(!value.includes(';'));
        const [name, cookies] = requestHeaders(['cookie', `a=1; k=${value}; b=2`], rules);
        expect([name, cookies?.replaceAll(' ', '')]).toEqual(['cookie', 'a=1;b=2']);
      }),
    );
  });

  it('S-122 in the query: only its parameter is removed', () => {
    fc.assert(
      fc.property(written, fc.boolean(), (value, isName) => {
        const odd = value.replaceAll(/[&#]/g, '');
        expect(queryWithoutKeys(`?a=1&${isName ? `${odd}=x` : `key=${odd}`}&b=2`)).toBe('?a=1&b=2');
        expect(queryWithoutKeys(`?key=${odd}`)).toBe('');
      }),
    );
  });

  it.each([
    'asy_ is how our keys begin',
    'asynchronous_work_of_a_very_long_name_that_goes_on',
    'Bearer sk-proj-0123456789abcdef0123456789abcdef0123456789abcdef',
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    '%E0%A4%A and a broken escape that goes on and on and on',
  ])('S-122 %j is no key', (text) => {
    expect(containsAssayKey(text)).toBe(false);
  });
});
