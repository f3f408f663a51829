import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayBeEnvelope, parseEnvelopeReply } from './unwrap';

const envelopeOf = (answer: string): string =>
  JSON.stringify({
    answer,
    facts: [{ value: '91.4%', source_id: 'tc1', path: 'rows[0].disk_pct' }],
  });

const read = (text: string) => parseEnvelopeReply(text, 'strict');

/**
 * Texts of an answer: with quotes, escapes, line ends and characters of two units, none of which is
 * an envelope itself.
 */
const answers = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => /^[^{["`\s]/.test(text));

describe('INT-3 INT-6 a reply to a request for an envelope', () => {
  test('complete: its answer, also in a fence', () => {
    fc.assert(
      fc.property(answers, fc.boolean(), (answer, fenced) => {
        const text = envelopeOf(answer);
        const reply = read(fenced ? `\`\`\`json\n${text}\n\`\`\`` : text);
        expect(reply).toMatchObject({ kind: 'envelope', answer });
      }),
    );
  });

  test('truncated anywhere: neither prose nor an envelope, and the text is a prefix of the answer', () => {
    fc.assert(
      fc.property(
        answers,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (answer, at, fenced) => {
          const text = envelopeOf(answer);
          const cut = text.slice(0, 1 + Math.floor(at * (text.length - 2)));
          const reply = read(fenced ? `\`\`\`json\n${cut}` : cut);
          expect(reply.kind).toBe('broken');
          if (reply.kind !== 'broken' || reply.answer === null) return;
          // A character of two units that was cut in half is replaced.
          expect(answer.startsWith(reply.answer.replace(/\uFFFD$/, ''))).toBe(true);
          expect(!reply.isWhole || reply.answer === answer).toBe(true);
        },
      ),
    );
  });

  test('JSON that the user asked for is data, and text is prose', () => {
    for (const text of ['{"disk":91.4}', '[1,2]', ' {}\n'])
      expect(parseEnvelopeReply(text, 'loose')).toEqual({ kind: 'data' });
    for (const text of [
      'It is 91.4%.',
      '[1] says 91.4%.',
      'The "answer" is: 42',
      '"Quoted," she said',
    ]) {
      expect(parseEnvelopeReply(text, 'loose')).toEqual({ kind: 'prose' });
    }
  });

  const answer = 'web-1 is at 91.4%.';
  const whole = envelopeOf(answer);
  test.each([
    ['no facts', JSON.stringify({ answer }), true],
    ['facts of another type', JSON.stringify({ answer, facts: 'none' }), true],
    ['a comma too many', whole.replace(/\}$/, ',}'), true],
    ['text before and behind', `Here it is: ${whole} Anything else?`, true],
    ['two envelopes', whole + whole, true],
    ['an envelope in a string', JSON.stringify(whole), true],
    ['the same, cut', JSON.stringify(whole).slice(0, -20), true],
    ['a list of it', `[${whole}]`, true],
    ['raw line ends', whole.replace('is at', 'is\nat'), true],
    ['a broken escape', whole.replace('is at', String.raw`is \at`), true],
    ['a number for an answer', '{"answer":91.4,"facts":[]}', false],
    ['facts alone', '{"facts":[]}', false],
    ['quotes of another kind', "{'answer': 'web-1', 'facts': []}", false],
    ['a bare beginning', '{', false],
    ['an empty object', '{}', false],
    ['an object of another kind', '{"response":"web-1 is at 91.4%."}', false],
    ['an object of another kind, cut', '{"response":"web-1 is', false],
  ])('malformed: %s', (_what, text, hasAnswer) => {
    const reply = parseEnvelopeReply(text, 'strict');
    expect(reply.kind).toBe('broken');
    expect(reply.kind === 'broken' && reply.answer !== null).toBe(hasAnswer);
  });

  test('an envelope within an envelope is opened', () => {
    expect(parseEnvelopeReply(envelopeOf(whole), 'strict')).toMatchObject({
      kind: 'envelope',
      answer,
    });
  });

  test('a partial reply that may be an envelope is known by its first character', () => {
    for (const soFar of ['', ' ', '{', '```json', '{"ans', whole])
      expect(mayBeEnvelope(soFar)).toBe(true);
    for (const soFar of ['It', 'web-1 is at']) expect(mayBeEnvelope(soFar)).toBe(false);
  });

  test('takes linear time', () => {
    for (const text of [
      '{'.repeat(200_000),
      '{"answer":"'.repeat(20_000),
      `{"answer":"${'\\'.repeat(200_000)}`,
      '{ '.repeat(100_000),
    ]) {
      expect(['broken', 'prose']).toContain(parseEnvelopeReply(text, 'strict').kind);
    }
  });
});
