import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { definitionYaml } from './definition-yaml';
import { parseDefinitions } from './read-definitions';

const read = (text: string) => parseDefinitions('v.yaml', text);
const bodies = (text: string) => read(text).map(({ body }) => body);

describe('reading definitions', () => {
  test('several documents, lists, JSON with tabs, comments and a byte order mark', () => {
    expect(read('---\nslug: a\n---\n# nothing\n---\nslug: b\n').map(({ slug }) => slug)).toEqual([
      'a',
      'b',
    ]);
    expect(bodies('[{"slug":"a","n":1},{"slug":"b"}]')).toEqual([
      { slug: 'a', n: 1 },
      { slug: 'b' },
    ]);
    expect(bodies('{\n\t"slug": "a",\n\t"checks": [\n\t\t1\n\t]\n}')).toEqual([
      { slug: 'a', checks: [1] },
    ]);
    expect(bodies('\ufeffslug: a\n')).toEqual([{ slug: 'a' }]);
  });

  test('YAML 1.2: no, on and dates are texts; anchors and merge keys are resolved', () => {
    expect(bodies('slug: a\nx: no\ny: 2026-01-01\nz: 012\n')).toEqual([
      { slug: 'a', x: 'no', y: '2026-01-01', z: 12 },
    ]);
    expect(bodies('slug: a\nx: &x {b: 1, c: 2}\ny: *x\nz:\n  <<: *x\n  c: 3\n')).toEqual([
      { slug: 'a', x: { b: 1, c: 2 }, y: { b: 1, c: 2 }, z: { b: 1, c: 3 } },
    ]);
  });

  test.each([
    ['slug: a\nslug: b\n', 'v.yaml, line 2: A member occurs twice; remove one of them.'],
    ['{"slug":"a","slug":"b"}', 'v.yaml, line 1: A member occurs twice; remove one of them.'],
    [
      'slug: a\nx:\n\ty: 1\n',
      'v.yaml, line 3: A tab is used as indentation, which YAML does not allow; use spaces.',
    ],
    [
      'slug: a\n---\nslug: [b\n',
      /^v\.yaml, document 2, line \d: Flow sequence.*; correct the YAML\.$/,
    ],
    [
      'slug: a\nx: !env KEY\n',
      'v.yaml, line 2: Unresolved tag: !env, which is not supported; remove the tag.',
    ],
    ['slug: a\nx: *no\n', /^v\.yaml: Unresolved alias .*: no; correct the aliases\.$/],
    [
      'slug: a\nx: &x [*x]\n',
      'v.yaml, line 2: x.0.0: is nested over 64 levels, or contains itself through an alias.',
    ],
    ['', 'v.yaml has no definition; write one with slug, kind and its members.'],
    ['---\n---\n', 'v.yaml has no definition; write one with slug, kind and its members.'],
    [
      'just text',
      'v.yaml, line 1: A definition must be a mapping with slug, kind and its members.',
    ],
    [
      '- slug: a\n- 7\n',
      'v.yaml, item 2, line 2: A definition must be a mapping with slug, kind and its members.',
    ],
    [
      'kind: judge\n',
      'v.yaml, line 1: slug: is required; add the name of the verifier, such as refund-policy.',
    ],
    ['kind: judge\nslug: ../keys\n', /^v\.yaml, line 2: slug: must be lower-case letters/],
    ['slug: 7\n', /^v\.yaml, line 1: slug: must be/],
    ['slug: a\njudge:\n  votes: .inf\n', 'v.yaml, line 3: judge.votes: must be a finite number.'],
    ['slug: a\nx: 12345678901234567890\n', /^v\.yaml, line 2: x: is too large to keep its digits/],
  ])('%j is refused with its line and fix', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  test('aliases that grow exponentially are refused', () => {
    const rows = Array.from(
      { length: 30 },
      (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`,
    );
    expect(() => read(`slug: a\na0: &a0 [x]\n${rows.join('\n')}\n`)).toThrow(/alias/);
  });

  test('the line of a member is that of its nearest parent', () => {
    const [one] = read(
      'slug: a\nkind: checks\nchecks:\n  - {check: pii}\n  - check: pii\n    x: 1\n',
    );
    const lines = ['checks.1.x', 'checks.1.y', 'checks.0.check', 'thresholds.pass_threshold', ''];
    expect(lines.map((path) => one?.lineOf(path))).toEqual([6, 5, 4, 1, 1]);
  });
});

describe('writing definitions', () => {
  test('prompt and source are block scalars; the order of members does not matter', () => {
    const text = definitionYaml({
      thresholds: { pass_threshold: 0.5 },
      function: { source: 'def evaluate(output):\n    return 1\n', language: 'python' },
      kind: 'function',
      slug: 'a',
    });
    expect(text).toBe(
      [
        'slug: a',
        'kind: function',
        'function:',
        '  language: python',
        '  source: |',
        '    def evaluate(output):',
        '        return 1',
        'thresholds:',
        '  pass_threshold: 0.5',
        '',
      ].join('\n'),
    );
    expect(definitionYaml({ b: 1, a: 2, kind: 'x', slug: 'y' })).toBe(
      definitionYaml({ slug: 'y', kind: 'x', a: 2, b: 1 }),
    );
  });

  test('every text and every JSON value is read back unchanged', () => {
    const piece = fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      '\t',
      ' ',
      '  ',
      '# x',
      ': ',
      '- ',
      '---',
      '...',
      '|',
      '"',
      "'",
      '\\',
      '{{output}}',
      '\u0085',
      '\u2028',
      '\ufeff',
      '\u001b[31m',
      '\u202e',
      'é',
      '😀',
      'no',
      '~',
      '1e3',
      '0x1',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
    );
    const values = fc.record({
      source: text,
      list: fc.array(text),
      any: fc.jsonValue({ maxDepth: 4 }),
    });
    fc.assert(
      fc.property(values, (value) => {
        const definition = { slug: 'a', ...(JSON.parse(JSON.stringify(value)) as object) };
        fc.pre(!/\d{16}|e\+/.test(JSON.stringify(value)));
        expect(bodies(definitionYaml(definition))).toEqual([definition]);
      }),
      { numRuns: 1000 },
    );
  });
});
