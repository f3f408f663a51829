import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { processorMsSince } from '../../../testing/processor-time';
import { caseCount } from '../../../testing/case-count';
import { EvaluationSubject, type Mapping, subjectTargets } from '../../domain';
import { applyMapping, compileMapping } from './mapping';

const subject = EvaluationSubject.parse({
  input: [{ role: 'user', content: 'How full is web-1?' }],
  output: 'It is 91.4 % full.',
  tools: [
    { id: 'c1', name: 'disk', arguments: { host: 'web-1' }, result: { pct: 91.4 } },
    { id: 'c2', name: 'search', arguments: { query: 'refund' }, result: 'a\nb' },
  ],
  context: [{ id: 'p', content: 'Refunds within 30 days.' }],
  metadata: { tier: 'paid', 'a-b': [1, 2] },
});

function read(mapping: Mapping, on: EvaluationSubject = subject) {
  const compiled = compileMapping(mapping, subjectTargets);
  if ('problems' in compiled) throw new Error(compiled.problems.map((p) => p.message).join('; '));
  const applied = applyMapping(compiled.mapping, on);
  return 'values' in applied ? Object.fromEntries(applied.values) : applied;
}

function problemsOf(query: string) {
  const compiled = compileMapping({ policy: query }, ['turn']);
  return 'problems' in compiled ? compiled.problems : [];
}

describe('values', () => {
  test.each([
    ['$.output', 'It is 91.4 % full.'],
    ['$.context[0].content', 'Refunds within 30 days.'],
    ['$.tools[*].name', ['disk', 'search']],
    ['$.tools[?@.name == "disk"].result.pct', 91.4],
    ['$.tools[-1].id', 'c2'],
    ["$.metadata['a-b']", [1, 2]],
    ["$.metadata['a-b'][*]", [1, 2]],
    ['$.tools[?length(@.id) == 2].id', ['c1', 'c2']],
    ['$.tools[?match(@.name, "s.*h")].id', 'c2'],
    ['$.tools[?search(@.arguments.query, "fun")].id', 'c2'],
    // A dot of I-Regexp matches no line end.
    ['$.tools[?match(@.result, "a[\\n]b")].id', 'c2'],
    ['$..pct', 91.4],
    ['$.tools[?count(@.arguments.*) == 1].id', ['c1', 'c2']],
    ['$.tools[?value(@..pct) > 90].id', 'c1'],
    ['$.tools[?@.id == $.tools[0].id].name', 'disk'],
  ])('%s', (query, value) => {
    expect(read({ variable: query })).toEqual({ variable: value });
  });

  test('a constant is any JSON, null too; a text constant is not read as a query', () => {
    expect(read({ a: { value: null }, b: { value: '$.output' }, c: { value: { d: 1 } } })).toEqual({
      a: null,
      b: '$.output',
      c: { d: 1 },
    });
  });

  test.each([
    '$.context[7].content',
    '$.reference',
    '$.tools[*].error',
    '$.metadata.policy',
    '$.tools[?match(@.result, "a.b")]',
  ])('nothing, and nothing but null, is missing: %s', (query) => {
    expect(read({ output: '$.output', policy: query })).toEqual({ missing: 'policy' });
  });

  test('members of the language are no members of a subject', () => {
    for (const query of ['$.metadata.__proto__', '$.metadata.constructor', '$.tools.length'])
      expect(read({ policy: query })).toEqual({ missing: 'policy' });
  });
});

describe('problems name the variable, the position and the fix', () => {
  test.each([
    ['', 0, 'for example $.output'],
    ['context[0]', 0, '"$.context[0]"'],
    ['The policy is 30 days', 0, '{"value": …}'],
    ['$.context[', 10, 'close the bracket'],
    ["$.metadata['a", undefined, 'close the quotes'],
    ['$.tools[?@.name = "x"]', 16, 'compare with =='],
    ['$.tools[?foo(@)]', 9, 'length, count, match, search and value'],
    ['$.tools[?@.* == 1]', undefined, 'compare one value'],
    ['$.tools[?match(@.name, "(a")]', 24, 'I-Regexp'],
    ['$.tools[?match(@.name, "(?=a)")]', 24, 'no look-around'],
    ['$.output ', 8, 'remove it'],
    ['$.contxt[0].content', 2, 'did you mean "context"?'],
    ["$['otuput']", undefined, 'did you mean "output"?'],
    ['$.turns[0]', 2, 'its members are'],
  ])('%s', (query, position, fix) => {
    const [problem, ...others] = problemsOf(query);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ variable: 'policy', fix: expect.stringContaining(fix) });
    expect(problem?.message).toMatch(/^mapping\.policy, position \d+: ./);
    expect(problem?.position).toBe(position ?? problem?.position);
  });

  test('a query that is too long', () => {
    expect(problemsOf(`$${'.a'.repeat(600)}`)).toMatchObject([
      { position: 1_000, fix: 'write it in at most 1000' },
    ]);
  });

  test('all problems of a mapping are reported together, and turns belong to sessions', () => {
    const compiled = compileMapping({ a: 'x', b: '$.output', c: '$.y' }, ['session']);
    expect('problems' in compiled && compiled.problems.map(({ variable }) => variable)).toEqual([
      'a',
      'c',
    ]);
    expect(compileMapping({ a: '$.turns[*].output' }, ['session'])).toHaveProperty('mapping');
  });

  test('any text compiles or has a problem with a position in it', () => {
    const parts = fc.constantFrom(
      '$',
      '.',
      '..',
      '[',
      ']',
      '*',
      '?',
      '@',
      'output',
      "'",
      '"',
      '(',
      ')',
      '==',
      '&&',
      '!',
      ',',
      ':',
      '0',
      '-1',
      'match',
      ' ',
      '\\',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (words) => {
        const query = words.join('');
        for (const { position, fix, message } of problemsOf(query)) {
          expect(position).toBeGreaterThanOrEqual(0);
          expect(position).toBeLessThanOrEqual(query.length);
          expect(fix).not.toBe('');
          expect(message.length).toBeLessThan(400);
        }
      }),
      { numRuns: caseCount(2_000) },
    );
  });
});

describe('cost is bounded', () => {
  const many = EvaluationSubject.parse({
    output: `${'a'.repeat(50_000)}!`,
    metadata: { list: Array.from({ length: 20_000 }, (_, i) => ({ i, inner: [i] })) },
  });

  test.each([
    ['a pattern that backtracks', '$[?match(@, "(a+)+b")]'],
    ['a pattern of nested counts', '$[?search(@, "((a{1,30}){1,30}){1,1}b")]'],
    ['filters within filters', '$..[?count(@..[?count(@..*) > 0]) > 0]'],
    ['descendants of descendants', '$..*..*..*'],
    ['all against all', '$..[?@ == $.metadata.list]'],
    ['slices of everything', '$..[::-1]..[::-1]..*'],
  ])('%s ends', (_, query) => {
    const compiled = compileMapping({ policy: query }, ['turn']);
    if ('problems' in compiled) throw new Error('a problem');
    const since = process.cpuUsage();
    const applied = applyMapping(compiled.mapping, many);
    expect('failed' in applied ? applied.failed : 'missing' in applied).toBeTruthy();
    expect(processorMsSince(since)).toBeLessThan(5_000);
  });

  test('a run over the limit reports it, and affects no later run', () => {
    const compiled = compileMapping({ policy: '$..*..*..nothing' }, ['turn']);
    if ('problems' in compiled) throw new Error('a problem');
    expect(applyMapping(compiled.mapping, many)).toEqual({
      failed: 'policy',
      reason: 'the query visits more than 200000 nodes',
    });
    expect(
      applyMapping(compiled.mapping, EvaluationSubject.parse({ output: 1 })),
    ).not.toHaveProperty('failed');
  });
});
