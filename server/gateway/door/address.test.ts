import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAddress } from './address';

test.each([
  ['/chat/completions', 'chat'],
  ['/chat/completions/', 'chat'],
  ['//chat///completions', 'chat'],
  ['/chat%2Fcompletions', 'chat'],
  ['/chat/%63ompletions', 'chat'],
  ['/Chat/Completions', 'chat'],
  ['/responses/?a=1', 'responses'],
  ['/messages', 'messages'],
  ['/messages/count_tokens', null],
  ['/completions', null],
  ['/responses/resp_1', null],
  ['/chat/%zz', null],
])('R-68 a call to a model is one however its path is spelled, and goes up as it was sent: %s', (path, dialect) => {
  expect(readAddress(`/gateway/my-route/v1${path}`)).toEqual({ route: 'my-route', path, dialect });
});

test.each(['/gateway/r/v1/../x', '/gateway/r/v1/%2e%2E/x', '/gateway/r/v1/a%2f..%5cb', '/gateway/R/v1/x', '/gateway/r/v2/x'])(
  'no address: %s',
  (target) => {
    expect(readAddress(target)).toBe(null);
  },
);

const escaped = (text: string): string =>
  Array.from(text)
    .map((character) => `%${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`)
    .join('');
const times = (text: string, n: number): string => (n === 0 ? text : times(escaped(text), n - 1));
/** Dots that climb, separators around them, and how each character may be spelled. */
const climbing = fc
  .record({
    dots: fc.constantFrom('.', '..', '..;', '..;x=1', '.;'),
    before: fc.constantFrom('/', '\\'),
    after: fc.constantFrom('/', '\\', ''),
    encodings: fc.array(fc.nat(3), { minLength: 8, maxLength: 8 }),
  })
  .map(({ dots, before, after, encodings }) => {
    const text = `${before}${dots}${after}`;
    return Array.from(text)
      .map((character, n) => times(character, encodings[n % encodings.length] ?? 0))
      .join('');
  });

test('S-122 a path that climbs is no address, however its dots and separators are spelled', () => {
  fc.assert(
    fc.property(fc.constantFrom('', '/chat', '/files/x'), climbing, fc.constantFrom('', '/chat/completions'), (start, climb, end) => {
      fc.pre(end === '' || /[/\\]$/.test(climb) || climb.includes('%'));
      // The target itself is a path: its first separator is a slash.
      const target = `/gateway/r/v1/a${start}${climb}${end}`;
      expect(readAddress(target)).toBe(null);
    }),
    { numRuns: 500 },
  );
});

test.each(['%00', '%0d%0a', '%250a', '%7f'])('S-122 a control character is in no address: %s', (control) => {
  expect(readAddress(`/gateway/r/v1/chat${control}/completions`)).toBe(null);
});

test.each(['/files/a..b', '/files/...', '/models/gpt-4o;v=1', '/files/x%20y', '/models/a%252Fb'])('%s climbs nowhere', (path) => {
  expect(readAddress(`/gateway/r/v1${path}`)).toMatchObject({ path });
});
