import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAbsolute, readAddress } from './address';

const base = '/gateway/my-route/v1';
const faultOf = (target: string): unknown => {
  const address = readAddress(target);
  return address !== null && 'fault' in address ? address.fault : address;
};

test.each([
  ['/chat/completions', 'chat'],
  ['/chat/completions/', 'chat'],
  ['/chat/%63ompletions', 'chat'],
  ['/Chat/Completions', 'chat'],
  ['/chat;v=1/completions;a=b', 'chat'],
  ['/responses/?a=1', 'responses'],
  ['/messages', 'messages'],
  ['/messages/count_tokens', null],
  ['/completions', null],
  ['/responses/resp_1', null],
])(
  'R-68 a model call is recognized in any spelling of its path, and forwarded unchanged: %s',
  (path, dialect) => {
    expect(readAddress(`${base}${path}`)).toMatchObject({ route: 'my-route', path, dialect });
  },
);

test.each(['/gateway/R/v1/x', '/gateway/r/v2/x', '/gateway/r', '/gateway/v1/chat/completions'])(
  'no address: %s',
  (target) => {
    expect(readAddress(target)).toBe(null);
  },
);

test.each([
  ['//chat///completions', 'an empty segment'],
  ['//evil.test/v1/chat/completions', 'an empty segment'],
  ['/chat/;x=1/completions', 'an empty segment'],
  ['/chat%2Fcompletions', 'an escaped slash'],
  ['/files/a%252Fb', 'an escaped slash'],
  ['/models/a%252Fb', 'an escaped slash'],
  ['/files/%EF%BC%8E%EF%BC%8E/x', 'a segment "." or ".."'],
  ['/..%20/files', 'a segment "." or ".."'],
  ['/..%3Fa/files', 'a segment "." or ".."'],
  ['/chat\\completions', 'a backslash'],
  ['/chat/%zz', 'begins no escape'],
  ['/chat/%u002e%u002e/x', 'begins no escape'],
  ['/chat/%c0%ae%c0%ae/x', 'not UTF-8'],
  ['/chat/%25c0%25ae/x', 'not UTF-8'],
  ['/chat/\u00e9', 'not ASCII'],
  ['/a/%25252525', 'escaped more than'],
  ['/chat/completions#x', 'a fragment'],
  ['/chat/completions?a=1#x', 'a fragment'],
])('S-122 a path that the upstream may read differently is refused: %s has %s', (path, why) => {
  expect(faultOf(`${base}${path}`)).toContain(why);
});

test.each([
  '/gateway/../v1/x',
  '/gateway/%2e%2e/v1/x',
  '/gateway/r/..;/v1/x',
  '/gateway/r/%2e/v1/x',
  '/gateway//v1/x',
])('S-122 before the route is looked up: %s', (target) => {
  expect(faultOf(target)).toMatch(/segment/);
});

test.each(['http://evil.test/gateway/r/v1/models', 'HTTPS://evil.test:1/gateway/r/v1/models'])(
  'S-122 an absolute target is refused: %s',
  (target) => {
    expect(isAbsolute(target)).toBe(true);
    expect(faultOf(target)).toBe('the target is an absolute address');
  },
);

test.each([
  'http://evil.test/v1/turns',
  '/gateway/r/v1/models',
  '/v1/turns?next=http://a/gateway/r',
])('S-122 is no absolute target of the gateway: %s', (target) => {
  expect(isAbsolute(target)).toBe(false);
});

const escaped = (text: string): string =>
  Array.from(text)
    .map((character) => `%${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`)
    .join('');
const times = (text: string, n: number): string => (n === 0 ? text : times(escaped(text), n - 1));
/** Dot segments, separators around them, and spellings of each character. */
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

test('S-122 a path with dot segments is refused in any spelling', () => {
  const ends = fc.constantFrom('', '/chat/completions', '/x');
  fc.assert(
    fc.property(
      fc.constantFrom('', '/chat', '/models/x', '/files/x'),
      climbing,
      ends,
      (start, climb, end) => {
        fc.pre(/^[/%\\]/.test(climb));
        fc.pre(end === '' || /[/\\]$/.test(climb) || climb.includes('%'));
        // The target itself is a path: its first separator is a slash.
        expect(faultOf(`${base}/a${start}${climb}${end}`)).toEqual(expect.any(String));
      },
    ),
    { numRuns: 1000 },
  );
});

test('S-122 a path that is valid plain and escaped once is forwarded unchanged', () => {
  const segment = fc.string({
    unit: fc.constantFrom(...'abcXYZ0189_~:@!$&()*+,=-é€'.split('')),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
      const path = `/${segments.map(encodeURIComponent).join('/')}`;
      expect(readAddress(`${base}${path}`)).toMatchObject({
        path,
        plainPath: `/${segments.join('/')}`,
      });
    }),
  );
});

test.each(['%00', '%0d%0a', '%250a', '%7f', '%c2%85'])(
  'S-122 a path with a control character is refused: %s',
  (control) => {
    expect(faultOf(`${base}/chat${control}/completions`)).toContain('a control character');
  },
);

test.each([
  '/files/a..b',
  '/files/...',
  '/models/gpt-4o;v=1',
  '/files/x%20y',
  '/models/meta-llama%2FLlama-3',
  '/a%2525b',
  '',
])('%s has no dot segment', (path) => {
  expect(readAddress(`${base}${path}`)).toMatchObject({ path });
});

test('S-122 a key in the path is refused and not repeated', () => {
  const key = `asy_gr_${'0123456789abcdef0123'}_${'A'.repeat(27)}abcdef`;
  const fault = faultOf(`${base}/models/${key}`);
  expect(fault).toContain('contains an Assay key');
  expect(fault).not.toContain(key);
});
