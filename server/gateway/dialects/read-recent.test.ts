import { describe, expect, test } from 'vitest';
import { isIntricate } from './asks';
import { dialectOf } from './dialects';
import { readRecent } from './read-recent';

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const MIB = 1_048_576;

describe.each(['chat', 'responses', 'messages'] as const)(
  'QV-22 %s: reading a very long request',
  (name) => {
    const dialect = dialectOf(name);
    const list = name === 'responses' ? 'input' : 'messages';
    const message = (n: number, content: string) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content,
    });

    test('a short request is read completely', () => {
      const body = json({ model: 'm', [list]: [message(0, 'a'), message(1, 'b')] });
      expect(readRecent(dialect, body)).toEqual(dialect.readRequest(body));
    });

    test.each([
      ['the messages come last', {}],
      [
        'tools follow',
        { tools: Array.from({ length: 300 }, () => ({ name: 'f', description: 'x'.repeat(100) })) },
      ],
      ['other members follow', { stream: true, temperature: 0.5 }],
    ])('the last 5,000 of many messages are read: %s', (_, more) => {
      const entries = Array.from({ length: 100_000 }, (__, n) => message(n, `é "${n}" {`));
      const read = readRecent(dialect, json({ model: 'm', [list]: entries, ...more }));
      if (read === null || read === 'too_long') throw new Error('not read');
      expect(read.messages).toHaveLength(5_000);
      expect(read.messages.at(-1)).toEqual({ role: 'assistant', content: 'é "99999" {' });
    });

    test('large messages that begin in the last MiB are read', () => {
      const entries = [3, 0.6, 0.6, 3].map((size, n) =>
        message(n, `${n}${'x'.repeat(size * MIB)}`),
      );
      const shown = (bodies: readonly object[]) => {
        const read = readRecent(dialect, json({ [list]: bodies }));
        return read === null || read === 'too_long'
          ? read
          : read.messages.map(({ content }) => content[0]);
      };
      expect(shown(entries)).toEqual(['3']);
      expect(shown(entries.slice(0, 3))).toEqual(['1', '2']);
    });

    test.each([
      [
        'a long member follows',
        { [list]: [message(0, 'a')], metadata: { a: 'x'.repeat(5 * MIB) } },
      ],
      ['there is no conversation', { other: Array.from({ length: 30_000 }, () => ({})) }],
    ])('it is too long if %s', (_, request) => {
      expect(readRecent(dialect, json(request))).toBe('too_long');
    });

    test('QV-28 a request of more than 100,000 parts is not changed', () => {
      const body = json({ [list]: Array.from({ length: 100_001 }, (_, n) => message(n, '')) });
      expect(isIntricate(body)).toBe(true);
      expect([dialect.withSteering(body, 'note'), dialect.withCorrection(body, 'a', 'b')]).toEqual([
        null,
        null,
      ]);
    });
  },
);
