import { describe, expect, test } from 'vitest';
import { mapRow } from './map-row';
import { ImportMapping } from './mapping';
import { withReferences } from './references';
import { jsonRow } from './row';

const map = (row: object, mapping: object) => [
  ...mapRow(
    jsonRow(
      withReferences(
        JSON.stringify(row),
        ImportMapping.parse({ format: 'jsonl', ...mapping }).references,
      ),
    ),
    {
      mapping: ImportMapping.parse({ format: 'jsonl', ...mapping }),
      now: new Date('2026-05-01T00:00:00Z'),
      seed: 'seed',
    },
  ),
];
const turnsOf = (row: object, mapping: object) =>
  map(row, mapping).flatMap((one) =>
    one.kind === 'turn' ? [JSON.parse(one.turn.payload) as Record<string, unknown>] : [],
  );
const labelsOf = (row: object, mapping: object) =>
  map(row, mapping).flatMap((one) =>
    one.kind === 'label' ? [[one.subjectId, one.label.success]] : [],
  );
const scoresOf = (row: object, mapping: object) =>
  map(row, mapping).flatMap((one) => (one.kind === 'score' ? [one.score] : []));

describe('files', () => {
  test.each([
    ['an object', { 'a.ts': 'const a = 1;', 'b/c.py': 'x = 2\n' }],
    [
      'a list',
      [
        { path: 'a.ts', content: 'const a = 1;' },
        { name: 'b/c.py', content: 'x = 2\n' },
      ],
    ],
  ])('%s of files is the output, each file under its path', (_, files) => {
    const [turn] = turnsOf({ files, passed: true }, { files: 'files', human_label: 'passed' });
    expect(turn?.output).toBe('a.ts\n```ts\nconst a = 1;\n```\n\nb/c.py\n```py\nx = 2\n```');
    expect(labelsOf({ files, passed: false }, { files: 'files', human_label: 'passed' })).toEqual([
      [expect.any(String), false],
    ]);
  });

  test('files follow an output, and a fence inside a file ends no block', () => {
    const [turn] = turnsOf(
      { text: 'Done.', files: { 'r.md': '```\nx\n```' } },
      { output: 'text', files: 'files' },
    );
    expect(turn?.output).toBe('Done.\n\nr.md\n````md\n```\nx\n```\n````');
  });

  test.each([
    [{ files: {} }, 'files: has no file at "files"'],
    [{}, 'files: has no file at "files"'],
    [{ files: [{ content: 'x' }] }, 'files: item 0 at "files" has no "path"'],
    [{ files: { a: { deep: 1 } } }, 'files: item a at "files" has no "path"'],
  ])('%j has none: %s', (row, message) => {
    expect(() => map(row, { files: 'files' })).toThrow(message);
  });
});

describe('replies of judges', () => {
  const mapping = (reply: string, as: string, more: object = {}) => ({
    output: 'a',
    judgements: [{ each: 'replies', judge: '@@.judge', value: '@@.text', reply, as, ...more }],
  });
  const one = (text: string, more: object = {}) => ({
    a: 'A',
    replies: [{ judge: 'j', text, ...more }],
  });

  test.each([
    ['rating', 'grade', 'Good. Rating: [[7.5]]', { value: 7.5, unread: false }],
    ['rating', 'grade', 'No number at all', { value: null, unread: true }],
    ['rating', 'grade', '[[7]] or [[8]]', { value: null, unread: true }],
    ['pair_letters', 'category', 'So it is [[B]]', { category: 'second', unread: false }],
    ['pair_letters', 'category', '[[C]]', { category: 'tie', unread: false }],
    ['pair_letters', 'category', 'A is better', { category: null, unread: true }],
    ['pair_stated', 'category', 'Output (a)', { category: 'first', unread: false }],
    [
      'error_stated',
      'pass_fail',
      'The response contains an error.',
      { label: 'fail', unread: false },
    ],
    [
      'error_stated',
      'pass_fail',
      'The response contains no errors.',
      { label: 'pass', unread: false },
    ],
  ])('%s as %s: %s', (reply, as, text, read) => {
    expect(scoresOf(one(text), mapping(reply, as))).toEqual([expect.objectContaining(read)]);
  });

  test('in the second order the words of that order apply', () => {
    const more = {
      presentation: '@@.order',
      words: { first: '1', second: '2' },
      words_in: { swapped: { first: '2', second: '1' } },
    };
    for (const [order, word] of [['as-is', '1'] as const, ['swapped', '2'] as const])
      expect(
        scoresOf(one('[[A]]', { order }), mapping('pair_letters', 'category', more)),
      ).toMatchObject([{ category: word }]);
  });

  test.each([
    [{ reply: 'rating', as: 'category' }, 'needs `as` to be grade, not category'],
    [{ reply: 'rating', as: 'grade', number: ['last'] }, 'must be left out with `reply`'],
    [{ as: 'category', words_in: { swapped: { a: 'b' } } }, 'needs `presentation`'],
  ])('%j is refused: %s', (more, message) => {
    const found = ImportMapping.safeParse({
      format: 'jsonl',
      output: 'a',
      judgements: [{ judge: 'j', value: 'v', ...more }],
    });
    expect(found.error?.issues.map((issue) => issue.message)).toContain(message);
  });
});

test.each([
  [[], true],
  [[{ kinds: ['number'] }], false],
  [[{ kinds: ['name'] }, { kinds: ['date', 'other'] }], false],
  [[{ kinds: ['name'] }], true],
  [[{ kinds: 'currency' }], false],
  [[{ type: 'incorrect' }, 'no object'], true],
])('of spans %j only those about figures count: good is %s', (spans, good) => {
  const labels = [
    { value: 'spans', only: { member: 'kinds', is: ['number', 'date', 'currency'] } },
  ];
  expect(labelsOf({ id: 'a', text: 'A', spans }, { id: 'id', output: 'text', labels })).toEqual([
    ['a', good],
  ]);
});

describe('references', () => {
  const references = { texts: { policy: 'Say "no".\nTwice.' } };
  const mapping = { id: 'id', messages: 'messages', references };

  test('a text of another file replaces its name, and digits stay as sent', () => {
    const row =
      '{"id":"a","n":1.50,"messages":[{"role":"system","content_ref":"policy"},{"role":"user","content":"\\"content_ref\\":\\"x\\""}]}';
    const filled = withReferences(row, { member: 'content_ref', texts: references.texts });
    expect(filled).toContain('"n":1.50');
    expect(JSON.parse(filled)).toMatchObject({
      messages: [
        { role: 'system', content: 'Say "no".\nTwice.' },
        { content: '"content_ref":"x"' },
      ],
    });
  });

  test('a name without a text is an error that names its member', () => {
    const row = { id: 'a', messages: [{ role: 'system', content_ref: 'other' }] };
    expect(() => map(row, mapping)).toThrow(
      'content_ref: names "other", which "references.texts" of the mapping lacks; add it there',
    );
  });
});

describe('pipelines', () => {
  const mapping = { id: 'id', each: 'steps', output: '@.did', pipeline: { query: 'ask' } };
  const row = {
    id: 'r',
    ask: 'Why?',
    steps: [{ did: 'A' }, { did: 'B' }],
    votes: {} as object,
    ok: null as boolean | null,
  };

  test.each([
    [
      'its label',
      { ok: false },
      { human_label: 'ok' },
      [
        ['r', false],
        ['r/1', false],
      ],
    ],
    ['no label', { ok: null }, { human_label: 'ok' }, []],
    [
      'most raters',
      { votes: { x: true, y: true, z: false } },
      { labels: [{ each: 'votes', value: '@@', rater: { key: true } }] },
      [
        ['r', true],
        ['r', true],
        ['r', false],
        ['r/1', true],
      ],
    ],
    [
      'raters that tie',
      { votes: { x: true, y: false } },
      { labels: [{ each: 'votes', value: '@@', rater: { key: true } }] },
      [
        ['r', true],
        ['r', false],
      ],
    ],
  ])('the answer of a pipeline, its last turn, has the label %s', (_, more, contents, labels) => {
    expect(labelsOf({ ...row, ...more }, { ...mapping, ...contents })).toEqual(labels);
  });
});
