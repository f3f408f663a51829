import fc from 'fast-check';
import { composeIBAN } from 'ibantools';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../testing/processor-time';
import { caseCount } from '../../testing/case-count';
import { findPii, type PiiType, piiTypes } from '.';
import type { PiiOptions } from './find';
import { passesLuhn } from './card';

/** The findings, as `type: text`. */
const found = (text: string, types: readonly PiiType[] = piiTypes, options?: PiiOptions) =>
  findPii(text, types, options).map(({ type, start, end }) => `${type}: ${text.slice(start, end)}`);

// Built from parts: scanners of repositories refuse whole keys.
const stripe = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
const openai = `sk-${'proj-'}abcDEF0123456789abcDEF0123456789`;
const aws = `AKIA${'IOSFODNN7EXAMPLE'}`;
const github = `ghp${'_'}16C7e42F292c6912E7710c838347Ae178B4a`;

describe('personal data', () => {
  it.each([
    ['write to ann.lee+x@mail.example.co.uk.', 'email: ann.lee+x@mail.example.co.uk'],
    ['<bob@example.com>', 'email: bob@example.com'],
    ['email=carla@exämple.de;', 'email: carla@exämple.de'],
    ["'dora@example.org'", 'email: dora@example.org'],
    ['card 4111 1111 1111 1111, please', 'card: 4111 1111 1111 1111'],
    ['4111-1111-1111-1111', 'card: 4111-1111-1111-1111'],
    ['5555555555554444.', 'card: 5555555555554444'],
    ['amex 3782 822463 10005 123', 'card: 3782 822463 10005'],
    ['on 2024 4111 1111 1111 1111', 'card: 4111 1111 1111 1111'],
    ['DE89 3704 0044 0532 0130 00 is mine', 'iban: DE89 3704 0044 0532 0130 00'],
    ['iban:gb29nwbk60161331926819', 'iban: gb29nwbk60161331926819'],
    ['call +49 30 901820 now', 'phone: +49 30 901820'],
    ['+1 (212) 555-0123', 'phone: +1 (212) 555-0123'],
    ['0044 20 7946 0958', 'phone: 0044 20 7946 0958'],
    ['(212) 555-0123', 'phone: (212) 555-0123'],
    ['555-123-4567', 'phone: 555-123-4567'],
    ['Tel.: 030 901820', 'phone: 030 901820'],
    ['+33 1 42 68 53 00 2024', 'phone: +33 1 42 68 53 00'],
    [`OPENAI=${openai}`, `key: ${openai}`],
    [`{"key": "${stripe}"}`, `key: ${stripe}`],
    [`use ${aws}.`, `key: ${aws}`],
    [github, `key: ${github}`],
    ['password: hunter2-hunter2x', 'key: hunter2-hunter2x'],
    ['x aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3 y', 'key: aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3'],
  ])('in %j: %s', (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it.each([
    'user@localhost, a@b, @ann, a@-b.com, ann@example.1',
    'order 4111111111111112, 1234 5678 9012 3456',
    'pi is 3.4111111111111111, x4111111111111111, 4111111111111111y',
    'DE89 3704 0044 0532 0130 01, XX89370400440532013000, DE89',
    '2024-01-15, 10:30, 192.168.100.200, 1.234.567,89, 12345678',
    '+1 999, version 1.2.3.4.5.6, ISBN 978-3-16-148410-0',
    'The password is required. Bearer of bad news. api_key: your_key_here',
    '0123456789abcdef0123456789abcdef01234567',
    '550e8400-e29b-41d4-a716-446655440000',
    'getUserAccountInformationByEmailAddress',
  ])('is not in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('a private key is one place, to the end of the text if it is cut off', () => {
    const pem = ['-----BEGIN', 'RSA PRIVATE KEY-----\nMIIBOgIBAAJBAKj34\n'].join(' ');
    const end = ['-----END', 'RSA PRIVATE KEY-----'].join(' ');
    expect(found(`a ${pem}${end} b`)).toEqual([`key: ${pem}${end}`]);
    expect(found(`a ${pem}`)).toEqual([`key: ${pem}`]);
  });

  it('national numbers need their region', () => {
    const text = 'Büro 030 901820-12, am 15.01.2024';
    expect(found(text)).toEqual([]);
    expect(found(text, ['phone'], { regions: ['DE'] })).toEqual(['phone: 030 901820-12']);
  });

  it('only the given types are found, in the order of the text', () => {
    const text = 'a@example.com, 4111111111111111, DE89370400440532013000, b@example.com';
    expect(found(text, ['iban', 'email'])).toEqual([
      'email: a@example.com',
      'iban: DE89370400440532013000',
      'email: b@example.com',
    ]);
  });
});

/** The digits with the check digit that makes them valid. */
function withCheckDigit(digits: string): string {
  const digit = '0123456789'.split('').find((each) => passesLuhn(digits + each));
  return `${digits}${digit ?? ''}`;
}

const digits = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...'0123456789'.split('')),
    minLength: length,
    maxLength: length,
  });
/** Text whose ends contain no digits, letters or separators that could join. */
const around = fc.constantFrom('', 'It is: ', '(', '"', '数字：', '😀 ', '\n', ', ');
const after = fc.constantFrom('', '.', ')', '"', ' is it', '。', ' 😀', '\n');
const cards = fc
  .oneof(
    digits(14).map((rest) => `4${rest}`),
    digits(13).map((rest) => `52${rest}`),
    digits(12).map((rest) => `37${rest}`),
    digits(11).map((rest) => `6011${rest}`),
  )
  .map(withCheckDigit);
const ibans = fc
  .oneof(
    digits(18).map((bban) => ({ countryCode: 'DE', bban })),
    digits(14).map((rest) => ({ countryCode: 'GB', bban: `NWBK${rest}` })),
    digits(16).map((bban) => ({ countryCode: 'AT', bban })),
  )
  .map((parts) => composeIBAN(parts))
  .filter((iban) => iban !== null);
const separators = fc.constantFrom('', ' ', '-');
const inFours = (text: string, separator: string): string =>
  text.match(/.{1,4}/g)?.join(separator) ?? '';

describe('generated data', () => {
  it('a valid card number is found in any text, and not with another check digit', () => {
    fc.assert(
      fc.property(around, cards, separators, after, (before, card, separator, rest) => {
        const written = inFours(card, separator);
        expect(found(`${before}${written}${rest}`, ['card'])).toEqual([`card: ${written}`]);
        const last = (Number(card.at(-1)) + 1) % 10;
        expect(found(`${before}${card.slice(0, -1)}${last}${rest}`, ['card'])).toEqual([]);
      }),
      { numRuns: caseCount(1_000) },
    );
  });

  it('a valid IBAN is found in any text, and not with another check number', () => {
    fc.assert(
      fc.property(around, ibans, separators, after, (before, iban, separator, rest) => {
        const written = inFours(iban, separator);
        expect(found(`${before}${written}${rest}`, ['iban'])).toEqual([`iban: ${written}`]);
        const last = (Number(iban.at(-1)) + 1) % 10;
        expect(found(`${before}${iban.slice(0, -1)}${last}${rest}`, ['iban'])).toEqual([]);
      }),
      { numRuns: caseCount(1_000) },
    );
  });

  it('places are in the text, in order and without overlaps', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('@', 'a@b.example', '+49 30 901820', '4111 1111 1111 1111', openai, ' '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        let last = 0;
        for (const { start, end } of findPii(text, piiTypes, { regions: ['DE', 'US'] })) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: caseCount(1_000) },
    );
  });
});

describe('cost', () => {
  it.each([
    '@',
    'a@',
    'a.',
    'a@b.',
    '1',
    '1 ',
    '1-',
    '+1',
    '4111',
    '4111 1111 1111 111 ',
    'DE89',
    'DE89 3704 ',
    'sk-',
    'a=',
    'password: ',
    '-----BEGIN PRIVATE KEY-----',
    'aB3_',
    ' ',
    '(2',
  ])('of ten times the text %j is about ten times as high', (unit) => {
    const textOf = (chars: number): string => unit.repeat(Math.ceil(chars / unit.length));
    const cost = (chars: number): number => processorMs(() => findPii(textOf(chars), piiTypes));
    cost(5_000);
    const small = Math.max(cost(20_000), 5);
    // Quadratic work would take a hundred times as long.
    expect(cost(200_000)).toBeLessThan(small * 40);
  });
});
