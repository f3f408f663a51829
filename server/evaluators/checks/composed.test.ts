import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isBlank, normalText } from '../../domain';
import { runCheck } from './index';

/**
 * Letters are the same composed (NFC) and decomposed (NFD), in every check, and a text without
 * visible width is empty.
 */

const run = (check: string, value: unknown, text: string) => runCheck({ check, value }, text);
const words = [
  'Zürich',
  'café',
  'naïve',
  'Ångström',
  'señor',
  'Łódź',
  'Việt Nam',
  'がぎぐ',
  '한국어',
  'ἀρχή',
  'é',
  'क़लम',
  'ΐ',
  'Ǭ',
];
const forms = ['NFC', 'NFD'] as const;

const cases: readonly (readonly [
  check: string,
  of: (word: string) => unknown,
  text: (word: string) => string,
])[] = [
  ['keywords', (word) => [word], (word) => `It names ${word}, once.`],
  ['keywords', (word) => word.toUpperCase(), (word) => `It names ${word}, once.`],
  ['regex', (word) => `^It is ${word}\\.$`, (word) => `It is ${word}.`],
  ['regex', (word) => ({ pattern: word, flags: 'i' }), (word) => `It is ${word}.`],
  ['required_sections', (word) => [word], (word) => `# ${word}\n\ntext`],
  ['max_length', (word) => Array.from(word.normalize('NFC')).length, (word) => word],
  ['word_count', (word) => [1, Array.from(word.normalize('NFC')).length], (word) => word],
  ['json_schema', (word) => ({ const: word }), (word) => JSON.stringify(word)],
  ['json_schema', (word) => ({ enum: ['x', word] }), (word) => JSON.stringify(word)],
  ['json_schema', (word) => ({ required: [word] }), (word) => JSON.stringify({ [word]: 1 })],
  [
    'json_schema',
    (word) => ({ type: 'string', pattern: `^${word}$` }),
    (word) => JSON.stringify(word),
  ],
  [
    'json_schema',
    (word) => ({ maxLength: Array.from(word.normalize('NFC')).length }),
    (word) => JSON.stringify(word),
  ],
];

describe.each(words)('%s', (word) => {
  it.each(cases)('VS-10 %s finds it in every composition', (check, valueOf, textOf) => {
    const met = forms.flatMap((one) =>
      forms.map(
        (other) => run(check, valueOf(word.normalize(one)), textOf(word).normalize(other)).met,
      ),
    );
    expect(met).toEqual([true, true, true, true]);
  });
});

it('VS-10 a JSON text that escapes its accents is composed too', () => {
  expect(run('json_schema', { const: 'café' }, '"cafe\\u0301"').met).toBe(true);
});

it('VS-10 a missing keyword is missing in every composition', () => {
  for (const form of forms)
    expect(run('keywords', ['café'], 'cafe caf\u00e8'.normalize(form)).met).toBe(false);
});

test('VS-10 evidence refers to positions in the original text', () => {
  const text = fc
    .array(fc.constantFrom(...words, ' ', 'x', '😀', '\u0301'), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      text,
      text,
      fc.constantFrom(...words),
      fc.constantFrom(...forms),
      (before, after, word, form) => {
        const given = `${before}<${word}>${after}`.normalize(form);
        const [evidence] = run('keywords', [word], given).evidence;
        if (evidence === undefined) return;
        const [start = 0, end = 0] = evidence.ref.replace('output:', '').split('-').map(Number);
        const found = Array.from(given).slice(start, end).join('');
        // A letter with one more accent than the word is shown whole.
        expect(found.normalize('NFC').toLowerCase()).toContain(word.normalize('NFC').toLowerCase());
        expect(given.normalize('NFC')).toContain(found.normalize('NFC'));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a composed text and its positions agree, for any text', () => {
  const part = fc.constantFrom(
    'a',
    '\u0301',
    '\u0323',
    'é',
    'ᄒ',
    'ᅡ',
    'ᆫ',
    'か',
    '\u3099',
    '😀',
    ' ',
    'ক',
    '\u09c7',
    '\u09be',
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 20 }).map((parts) => parts.join('')),
      (given) => {
        const { text, placesOf } = normalText(given);
        expect(text).toBe(given.normalize('NFC'));
        for (const { start, end } of placesOf([{ start: 0, end: text.length }]))
          expect([start, end]).toEqual([0, given.length]);
      },
    ),
  );
});

describe('a value', () => {
  it.each([[undefined], [null], [true], [''], [{}], [[]]])(
    'VS-11 urls_valid needs no parameter: %j counts as none',
    (value) => {
      expect(run('urls_valid', value, 'see https://a.example/x').met).toBe(true);
      expect(run('urls_valid', value, 'see https://a..example/x').met).toBe(false);
    },
  );

  it.each([[false], ['https'], [{ host: 'a.example' }], [1], [['a.example']]])(
    'VS-11 urls_valid refuses %j',
    (value) => {
      expect(run('urls_valid', value, 'no address')).toMatchObject({ met: false });
    },
  );

  it.each(['keyword', 'keywrods', 'min_lenght', 'json-schema', 'url_valid'])(
    'VS-11 the unknown check %s names the nearest',
    (name) => {
      expect(run(name, 1, 'x')).toMatchObject({
        state: 'unscored',
        reasoning: expect.stringMatching(/did you mean "\w+"\?/) as string,
      });
    },
  );
});

test.each([
  '',
  ' \n',
  '\u200b',
  '\u200d\u2060',
  '\ufeff',
  '\u00ad',
  '\u3164',
  '\u2800',
  '\u{e0041}',
  '\u202e',
  '\u0301',
  '\u115f\u17b4',
])('VS-14 %j counts as empty text', (text) => {
  expect(isBlank(text)).toBe(true);
  expect(isBlank(`${text}.`)).toBe(false);
  for (const check of ['keywords', 'required_sections'])
    expect(run(check, [text], 'x'), check).toMatchObject({ met: false });
});
