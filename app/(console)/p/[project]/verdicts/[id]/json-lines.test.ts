import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLines, unwrapJson } from './json-lines';

const text = (json: string) =>
  jsonLines(json).map(
    (line) => '  '.repeat(line.indent) + line.pieces.map((piece) => piece.text).join(''),
  );
const paths = (json: string) =>
  Object.fromEntries(
    jsonLines(json).flatMap((line) =>
      line.pieces.flatMap((piece) =>
        piece.path === null || piece.kind === 'key' ? [] : [[piece.path, piece.text]],
      ),
    ),
  );

test('every scalar has its path, also in minified text', () => {
  expect(
    paths(
      '{"rows":[{"host":"web-1","disk_pct":91.4},{"host":"web-2"}],"n":2,"ok":true,"a b":{"c":[1,2]}}',
    ),
  ).toEqual({
    'rows[0].host': '"web-1"',
    'rows[0].disk_pct': '91.4',
    'rows[1].host': '"web-2"',
    n: '2',
    ok: 'true',
    '["a b"].c[0]': '1',
    '["a b"].c[1]': '2',
  });
});

test('digits and escapes stay as sent', () => {
  expect(text('[9007199254740993,1.50,1e400,"\\u00e9\\"]"]')).toEqual([
    '[9007199254740993, 1.50, 1e400, "\\u00e9\\"]"]',
  ]);
});

test('every JSON text is split into its tokens', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (json) => {
      const whole = jsonLines(json).flatMap((line) =>
        line.pieces.map((piece) => piece.text.trim()),
      );
      expect(JSON.parse(whole.join(''))).toEqual(JSON.parse(json));
    }),
  );
});

test('S-58 a string of 20 MB, also of quotes, needs no stack', () => {
  for (const inner of ['a'.repeat(20_000_000), String.raw`\"\\`.repeat(4_000_000)])
    expect(paths(`["${inner}"]`)).toEqual({ '[0]': `"${inner}"` });
});

test('broken into lines, short lists on one', () => {
  expect(text('{"a":{},"b":[],"c":{"d":1}}')).toEqual([
    '{',
    '  "a": {},',
    '  "b": [],',
    '  "c": {',
    '    "d": 1',
    '  }',
    '}',
  ]);
  expect(text('"just text"')).toEqual(['"just text"']);
});

test('a list in a list counts its own items', () => {
  expect(paths('[[1,[2,{"x":3}]],4]')).toEqual({
    '[0][0]': '1',
    '[0][1][0]': '2',
    '[0][1][1].x': '3',
    '[1]': '4',
  });
});

test('JSON text inside a JSON string is unwrapped, other strings are not', () => {
  expect(unwrapJson(JSON.stringify(JSON.stringify({ a: 1.5 })))).toBe('{"a":1.5}');
  expect(unwrapJson('"[not json"')).toBe('"[not json"');
  expect(unwrapJson('"plain"')).toBe('"plain"');
  expect(paths('"plain"')).toEqual({ $: '"plain"' });
});
