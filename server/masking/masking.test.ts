import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plantedIn, plantedText } from '../../testing/planted';
import { processorMs } from '../../testing/processor-time';
import { caseCount } from '../../testing/case-count';
import { piiTypes } from '../pii';
import { MaskingSettings } from './input';
import { maskJson } from './mask-json';
import { createMasker, maskingKey } from './masker';
import { readMaskPath, startPaths } from './paths';

const key = maskingKey('secret', 'prj_1');
const rulesWith = (...paths: string[]) => ({
  types: piiTypes,
  regions: ['DE'],
  key,
  paths: paths.map((path) => readMaskPath(path, 'paths[0]')),
});
const maskText = (text: string): string => createMasker(rulesWith()).text(text);
const maskedJson = (text: string, ...paths: string[]): string => {
  const masker = createMasker(rulesWith(...paths));
  return maskJson(Buffer.from(text), { masker, states: startPaths(masker.rules.paths) }).toString();
};
const token = (type: string) => expect.stringMatching(new RegExp(`^\\[${type}:[a-z]{12}\\]$`));

describe('a token', () => {
  it.each([
    ['email', 'Ann.Lee@Example.com', 'ann.lee@example.com'],
    ['card', '4111 1111 1111 1111', '4111-1111-1111-1111'],
    ['iban', 'DE89 3704 0044 0532 0130 00', 'de89370400440532013000'],
    ['phone', '+49 30 901820', '0049 30 901820'],
    ['phone', '+49 30 901820', '030 901820'],
  ])('of %s is the same for %s and %s', (type, one, other) => {
    expect(maskText(one)).toEqual(token(type));
    expect(maskText(other)).toBe(maskText(one));
  });

  it('differs between values, types, projects and secrets', () => {
    const of = (secret: string, project: string, text: string): string =>
      createMasker({ ...rulesWith(), key: maskingKey(secret, project) }).text(text);
    const tokens = [
      of('a', 'p', 'ann@example.com'),
      of('a', 'p', 'bob@example.com'),
      of('a', 'q', 'ann@example.com'),
      of('b', 'p', 'ann@example.com'),
    ];
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('replaces only the value, and is counted', () => {
    const masker = createMasker(rulesWith());
    const text = masker.text('Write to ann@example.com or +49 30 901820, not to ann@example.com.');
    expect(text).toMatch(/^Write to (\[email:[a-z]{12}\]) or \[phone:[a-z]{12}\], not to \1\.$/);
    expect(Object.fromEntries(masker.counts)).toEqual({ email: 2, phone: 1 });
  });

  it('of a label decides: a password, a phone number without a country code', () => {
    expect(maskedJson('{"password":"hunter2-hunter2x"}')).toMatch(/"\[key:/);
    expect(maskedJson('{"password":"hunter2-hunter2x"}')).not.toContain('hunter2');
    expect(maskedJson('{"phone":["5550123"]}')).toMatch(/\["\[phone:/);
    expect(maskedJson('{"order":["5550123"]}')).toBe('{"order":["5550123"]}');
  });
});

it('the setting accepts every type of personal data', () => {
  expect(MaskingSettings.parse({ types: [...piiTypes] })).toEqual({
    types: piiTypes,
    regions: [],
    paths: [],
  });
});

describe('JSON', () => {
  it('keeps every byte that is not in a masked text', () => {
    const text =
      ' {"a" : 1.10, "n":12345678901234567890,\t"e":1E2, "s":"\\u00e9\\/", "m":"a@b.co" }';
    expect(maskedJson(text)).toBe(text.replace('a@b.co', maskText('a@b.co')));
  });

  it('keeps numbers and moments in time', () => {
    const text = '{"card":4111111111111111,"at":"2024-01-15T10:30:00.376312345+02:00"}';
    expect(maskedJson(text)).toBe(text);
  });

  it('finds a value behind escapes, in keys, and in JSON inside of a text', () => {
    const masked = maskedJson(
      String.raw`{"x":"ann\u0040example.com","ann@example.com":1,"json":"{\"card\":4111111111111111,\"to\":[\"ann\\u0040example.com\"]}"}`,
    );
    const [email, card] = [maskText('ann@example.com'), maskText('4111111111111111')];
    const inner = JSON.stringify({ card, to: [email] });
    expect(JSON.parse(masked)).toEqual({ x: email, [email]: 1, json: inner });
  });

  it.each([
    ['$.metadata.customer', { metadata: { customer: 'Ann Lee' } }],
    ['$.metadata.customer', { metadata: { customer: 7 } }],
    ['$.metadata["customer"]', { metadata: { customer: { name: 'Ann', age: 7 } } }],
    ['$.list[1].name', { list: [{ name: 1 }, { name: 'Ann' }] }],
    ['$.list[*]', { list: ['Ann', 'Bob'] }],
    ['$..name', { a: { b: [{ name: 'Ann' }] } }],
    ['$.text.user', { text: '{"user":"Ann"}' }],
  ])('replaces the values at %s', (path, value) => {
    const masked = maskedJson(JSON.stringify(value), path);
    expect(masked).toMatch(/\[masked:[a-z]{12}\]/);
    expect(masked).not.toMatch(/Ann|7/);
    expect(maskedJson(masked, path)).toBe(masked);
  });

  it('keeps null at a path, and values next to it', () => {
    const text = '{"a":null,"b":"x"}';
    expect(maskedJson(text, '$.a')).toBe(text);
  });

  it('a list of items has the paths in each item', () => {
    const masker = createMasker(rulesWith('$.user'));
    const states = startPaths(masker.rules.paths, 'turns');
    const body = Buffer.from('{"turns":[{"user":"a"},{"user":"b"}],"user":"c"}');
    expect(JSON.parse(maskJson(body, { masker, states }).toString())).toEqual({
      turns: [{ user: token('masked') }, { user: token('masked') }],
      user: 'c',
    });
  });

  it.each(['{"a":"ann@example.com', 'ann@example.com', '{"a":+49 30 901820}'])(
    'a body that is not JSON is masked as a text: %s',
    (text) => {
      expect(maskedJson(text)).toBe(maskText(text));
      expect(maskedJson(text)).not.toBe(text);
    },
  );

  it.each(['$', 'a', '$.a[?@.b]', '$.a[-1]', '$.a[1:2]', '$..a..b'])(
    'the path %s is refused by name',
    (path) => {
      expect(() => readMaskPath(path, 'masking.paths[0]')).toThrow(/^masking\.paths\[0\]: must/);
    },
  );

  it('without a value to mask it is the same object', () => {
    const bytes = Buffer.from('{"a":"nothing here","n":4111111111111111}');
    const masker = createMasker(rulesWith('$.b'));
    expect(maskJson(bytes, { masker, states: startPaths(masker.rules.paths) })).toBe(bytes);
  });

  it('bytes that are no UTF-8 stay, next to masked ones', () => {
    const bytes = Buffer.from('{"a":"\xff\xfe","b":"a@b.co"}', 'latin1');
    const masker = createMasker(rulesWith());
    const masked = maskJson(bytes, { masker, states: [] }).toString('latin1');
    expect(masked).toBe(`{"a":"\xff\xfe","b":"${maskText('a@b.co')}"}`);
  });
});

/** Random JSON with values planted in random texts. */
const planted = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.integer(),
    fc.constantFrom(null, true, 'plain text'),
    plantedText,
    plantedText.map((text) => JSON.stringify({ inner: text })),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'content'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('generated documents', () => {
  it('have no planted value after masking, and masking again changes nothing', () => {
    fc.assert(
      fc.property(planted, fc.constantFrom(0, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const masked = maskedJson(text);
        expect(plantedIn(masked)).toEqual([]);
        expect(maskedJson(masked)).toBe(masked);
        expect(JSON.stringify(JSON.parse(masked), null, space)).toBe(masked);
      }),
      { numRuns: caseCount(500) },
    );
  });
});

describe('cost', () => {
  it.each([
    ['texts with values', (n: number) => JSON.stringify(Array(n).fill('a@b.co, +49 30 901820'))],
    ['nested objects', (n: number) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`],
    ['nested values at a path', (n: number) => `${'[{"b":'.repeat(n)}1${'}]'.repeat(n)}`],
    ['quotes', (n: number) => JSON.stringify('"'.repeat(n * 10))],
    ['one long number', (n: number) => JSON.stringify('1 '.repeat(n * 5))],
    ['broken JSON', (n: number) => '{"a@b.co'.repeat(n)],
  ])('of ten times as many %s is about ten times as high', (_name, textOf) => {
    const cost = (n: number): number =>
      processorMs(() => maskedJson(textOf(n), '$..x', '$.a.b', '$.list[*]'));
    cost(200);
    const small = Math.max(cost(500), 5);
    // Quadratic work would take a hundred times as long.
    expect(cost(5_000)).toBeLessThan(small * 40);
  });
});
