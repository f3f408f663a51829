import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sentenceCases } from './sentence-cases';
import { sentencesIn } from './sentences';

const split = (text: string): string[] =>
  sentencesIn(text, { start: 0, end: text.length }).map(({ start, end }) => text.slice(start, end));

/** Scripts without a space between sentences. */
const markOf = (language: string): string => (language === 'ja' || language === 'zh' ? '|' : ' | ');
const spaceOf = (language: string): string => markOf(language).replaceAll('|', '').slice(0, 1);
const piecesOf = (language: string, line: string): string[] => line.split(markOf(language));

describe.each(Object.entries(sentenceCases))('SOAR-21 sentences in %s', (language, lines) => {
  test('there are thirty of each', () => {
    expect(new Set(lines).size).toBe(30);
  });

  test.each(lines)('%s', (line) => {
    const pieces = piecesOf(language, line);
    expect(split(pieces.join(spaceOf(language)))).toEqual(pieces);
  });

  test('any of them in sequence, on one line and on several, are the same sentences', () => {
    // After these a capital letter may continue a name.
    const closed = lines.filter(
      (line) => !/(?:\p{L}\.|\p{Lu}\.)$/u.test(line) || /\p{Ll}{4,}\.$/u.test(line),
    );
    const drawn = fc.array(fc.constantFrom(...closed), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(drawn, fc.constantFrom(spaceOf(language), '\n', '\n\n'), (taken, between) => {
        const pieces = taken.map((line) => piecesOf(language, line));
        const text = pieces.map((each) => each.join(spaceOf(language))).join(between);
        expect(split(text)).toEqual(pieces.flat());
      }),
    );
  });
});

describe('generated combinations', () => {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];
  const days = fc.integer({ min: 1, max: 31 });

  test('SOAR-21 English dates and times stay in their sentence', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...months),
        days,
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom('a.m.', 'p.m.'),
        (month, day, hour, half) => {
          const sentence = `The host was back on ${month}. ${day} at ${hour} ${half}`;
          expect(split(`${sentence} on Monday. It held.`)).toEqual([
            `${sentence} on Monday.`,
            'It held.',
          ]);
          expect(split(`${sentence} It held.`)).toEqual([sentence, 'It held.']);
        },
      ),
    );
  });

  const monate = [
    'Januar',
    'Februar',
    'März',
    'April',
    'Mai',
    'Juni',
    'Juli',
    'August',
    'September',
    'Oktober',
    'November',
    'Dezember',
  ];

  test('SOAR-21 German ordinals and dates stay in their sentence', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...monate),
        days,
        fc.constantFrom('z. B.', 'u. a.', 'd. h.', 'bzw.', 'ca.'),
        (month, day, short) => {
          const sentence = `Das Treffen war ${short} am ${day}. ${month} in Bonn.`;
          expect(split(`${sentence} Danach kam keiner.`)).toEqual([sentence, 'Danach kam keiner.']);
        },
      ),
    );
  });

  test('SOAR-21 in any text, sentences are in order, disjoint, and leave out only white space', () => {
    const part = fc.constantFrom(
      'Dr',
      'z',
      'B',
      '3',
      'Mai',
      'p.m',
      '.',
      '. ',
      ' ',
      '\n',
      '„',
      '“',
      '”',
      '«',
      '»',
      '。',
      '「',
      '」',
      '!',
      '?',
      'U.S',
      'x',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 40 }).map((parts) => parts.join('')),
        (text) => {
          let at = 0;
          let left = '';
          for (const { start, end } of sentencesIn(text, { start: 0, end: text.length })) {
            expect(start).toBeGreaterThanOrEqual(at);
            expect(end).toBeGreaterThan(start);
            left += text.slice(at, start);
            at = end;
          }
          expect((left + text.slice(at)).trim()).toBe('');
        },
      ),
    );
  });
});

test.each(['A. ', 'z. B. ', 'Dr. ', '3. ', '„', '« x. » ', '。」', 'U.S. ', '1. 2. ', 'x.y'])(
  'R-104 a text of many %j is scanned once, not once per sentence',
  (unit) => {
    const text = unit.repeat(100_000);
    const covered = sentencesIn(text, { start: 0, end: text.length }).reduce(
      (sum, { start, end }) => sum + end - start,
      0,
    );
    expect(covered).toBeLessThanOrEqual(text.length);
  },
);
