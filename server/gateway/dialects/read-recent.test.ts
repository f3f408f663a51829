import { describe, expect, test } from 'vitest';
import { isIntricate } from './asks';
import { dialectOf } from './dialects';
import { readRecent } from './read-recent';

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const MIB = 1_048_576;

describe.each(['chat', 'responses', 'messages'] as const)(
  'QV-22 %s: how a very long request is read',
  (name) => {
    const dialect = dialectOf(name);
    const list = name === 'responses' ? 'input' : 'messages';
    const said = (n: number, content: string) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content,
    });

    test('one that is not long is read whole', () => {
      const body = json({ model: 'm', [list]: [said(0, 'a'), said(1, 'b')] });
      expect(readRecent(dialect, body)).toEqual(dialect.readRequest(body));
    });

    test.each([
      ['the messages stand last', {}],
      [
        'tools stand behind',
        { tools: Array.from({ length: 300 }, () => ({ name: 'f', description: 'x'.repeat(100) })) },
      ],
      ['others stand behind', { stream: true, temperature: 0.5 }],
    ])('of many messages the last 5,000 are read: %s', (_, more) => {
      const entries = Array.from({ length: 100_000 }, (__, n) => said(n, `é "${n}" {`));
      const read = readRecent(dialect, json({ model: 'm', [list]: entries, ...more }));
      if (read === null || read === 'too_long') throw new Error('not read');
      expect(read.messages).toHaveLength(5_000);
      expect(read.messages.at(-1)).toEqual({ role: 'assistant', content: 'é "99999" {' });
    });

    test('of large messages those are read that begin in the last MiB', () => {
      const entries = [3, 0.6, 0.6, 3].map((size, n) => said(n, `${n}${'x'.repeat(size * MIB)}`));
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
        'a long member stands behind',
        { [list]: [said(0, 'a')], metadata: { a: 'x'.repeat(5 * MIB) } },
      ],
      ['there is no conversation', { other: Array.from({ length: 30_000 }, () => ({})) }],
    ])('it is too long where %s', (_, request) => {
      expect(readRecent(dialect, json(request))).toBe('too_long');
    });

    test('QV-28 nothing is put to a request of more than 100,000 parts', () => {
      const body = json({ [list]: Array.from({ length: 100_001 }, (_, n) => said(n, '')) });
      expect(isIntricate(body)).toBe(true);
      expect([dialect.withSteering(body, 'note'), dialect.withCorrection(body, 'a', 'b')]).toEqual([
        null,
        null,
      ]);
    });
  },
);
