import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setMembers, sliceArray, sliceObject } from './json-slices';
import { readIds } from './read-ids';
import { readTurns } from './read-turns';

const ids = (): (() => string) => {
  let next = 0;
  return () => `new-${next++}`;
};

describe('R-89 digits go out as they were written', () => {
  const odd = '{"id":"a","output":"x","n":[9007199254740993,1e400,-0,0.10,1.0E+2]}';
  test.each([
    ['one turn', odd],
    ['an array', ` [ ${odd} ] `],
    ['{"turns":[…]}', `{"note":"[]","turns":[${odd}]}`],
    ['a line', `\n${odd}\n\n`],
  ])('in %s', (_name, file) => {
    expect(readTurns(file, {}, ids()).turns).toMatchObject([{ id: 'a', text: odd }]);
  });

  test('also where members are set', () => {
    const { turns } = readTurns(
      '{"model":"old","output":"x","n":1e400,"session_id":null}',
      { session: 's "1"', model: 'm' },
      ids(),
    );
    expect(turns[0]?.text).toBe(
      '{"id":"new-0","session_id":"s \\"1\\"","model":"m","output":"x","n":1e400}',
    );
  });
});

test.each([
  [
    'JSONL with blank and broken lines',
    '{"id":"a"}\n\n{"id":\n7\n  {"id":"b"}\r\n',
    [1, 5],
    [3, 4],
  ],
  ['an array over lines', '[\n  {"id":"a"},\n\n  {"id":"b"}, 5\n]', [2, 4], [4]],
  ['a single turn over lines', '\n{\n"id":"a"\n}', [2], []],
  ['a list of none', '{"turns":[]}', [], []],
  ['a byte order mark', '\uFEFF{"id":"a"}', [1], []],
  ['no JSON at all', 'hello', [], [1]],
])('%s: each turn and each fault has its line', (_name, file, turns, bad) => {
  const read = readTurns(file, {}, ids());
  expect([read.turns.map(({ line }) => line), read.bad.map(({ line }) => line)]).toEqual([
    turns,
    bad,
  ]);
});

test('a turn without an id gets one, an id that is not text is left to the server', () => {
  const { turns } = readTurns(
    '{"output":"x"}\n{"id":null,"output":"x"}\n{"id":7}\n{"id":"","output":"x"}',
    {},
    ids(),
  );
  expect(turns.map(({ text }) => (JSON.parse(text) as { id: unknown }).id)).toEqual([
    'new-0',
    'new-1',
    7,
    'new-3',
  ]);
});

test('slices of any JSON are its values', () => {
  const style = fc.constantFrom(undefined, 1, 2);
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      style,
      (list, object, indent) => {
        const items = sliceArray({ at: 0, text: JSON.stringify(list, null, indent) });
        expect(items.map(({ text }) => JSON.parse(text) as unknown)).toEqual(
          JSON.parse(JSON.stringify(list)),
        );
        const text = JSON.stringify(object, null, indent);
        const members = sliceObject({ at: 0, text });
        expect(members.map(({ key, text: value }) => [key, JSON.parse(value) as unknown])).toEqual(
          Object.entries(JSON.parse(text) as object),
        );
        for (const { at, text: value } of members)
          expect(text.slice(at, at + value.length)).toBe(value);
        expect(JSON.parse(setMembers({ at: 0, text }, new Map()))).toEqual(JSON.parse(text));
      },
    ),
    { numRuns: 300 },
  );
});

test('R-90 nesting of 200,000 is sliced, not recursed into', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  expect(sliceArray({ at: 0, text: `[${deep},1]` })).toHaveLength(2);
});

test.each([
  ['lines', 'a\n\n b \r\n', ['a', 'b']],
  ['the output of assay send --json', '{"accepted":2,"ids":["a","b"]}', ['a', 'b']],
  ['an array of ids', '["a","b"]', ['a', 'b']],
  ['turns', '{"id":"a","output":"x"}\n{"id":"b","output":"x"}', ['a', 'b']],
])('ids of turns: %s', (_name, file, found) => expect(readIds(file)).toEqual(found));

test.each([
  ['{"output":"x"}', 'Line 1 has a turn without an id, which cannot be looked up.'],
  ['{"id":"a"}\n{', 'Line 2 of the file: not valid JSON: column 2'],
])('ids of turns: %j is refused', (file, message) => expect(() => readIds(file)).toThrow(message));
