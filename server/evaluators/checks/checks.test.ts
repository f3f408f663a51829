import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseCount } from '../../../testing/case-count';
import { processorMs } from '../../../testing/processor-time';
import { describeCheck, runCheck } from '.';
import { checks } from './registry';
import { listHeadings } from './headings';
import { countWords } from './word-count';

const run = (check: string, value: unknown, text: string) => runCheck({ check, value }, text);

describe('deterministic checks', () => {
  it('VS-10 there are eight, each under its API name', () => {
    expect([...checks.keys()].toSorted()).toEqual(
      [
        'json_schema',
        'keywords',
        'max_length',
        'min_length',
        'regex',
        'required_sections',
        'urls_valid',
        'word_count',
      ].toSorted(),
    );
  });

  it.each([
    ['regex', '^Order #\\d+', 'Order #12 has come', true],
    ['regex', 'order', 'Order', false],
    ['regex', { pattern: 'order', flags: 'i' }, 'Order', true],
    ['regex', { pattern: 'TODO', absent: true }, 'all done', true],
    ['regex', { pattern: 'TODO', absent: true }, 'TODO: rest', false],
    ['min_length', 3, 'a😀b', true],
    ['min_length', 4, 'a😀b', false],
    ['max_length', 3, 'a😀b', true],
    ['max_length', 2, 'a😀b', false],
    ['word_count', [2, 3], 'one two', true],
    ['word_count', [2, 3], 'one two three', true],
    ['word_count', { min: 2, max: 3 }, 'one two three four', false],
    ['word_count', { min: 2 }, 'one', false],
    ['word_count', { max: 0 }, ' - ', true],
    ['required_sections', ['Summary'], '# Summary\n\ntext', true],
    ['keywords', ['GDPR', 'risk'], 'The gdpr names risks.', true],
    ['keywords', 'GDPR', 'nothing', false],
    ['urls_valid', true, 'see https://a.example/b_(c), and (http://127.0.0.1:80/x).', true],
    ['urls_valid', true, 'see http://', false],
    ['urls_valid', true, 'see https:/a.example', false],
    ['urls_valid', true, 'see https://a..example/x', false],
    ['urls_valid', true, 'see https://nohost/x', false],
    ['urls_valid', true, 'see https://a.example/%zz', false],
    ['urls_valid', true, 'see http://a.example:99999/', false],
    ['urls_valid', undefined, 'use https: it is safer', true],
  ] as const)('VS-10 %s %j over %j: %s', (check, value, text, met) => {
    expect(run(check, value, text)).toMatchObject({ state: 'scored', met, must_pass: false });
  });

  it('VS-11 a text without addresses passes the address check', () => {
    expect(run('urls_valid', null, 'no address here').met).toBe(true);
  });

  it('VS-11 an unknown check is skipped with a warning, and is no failure', () => {
    const score = run('toString', 1, 'x');
    expect(score).toMatchObject({ state: 'unscored', met: null, evaluator: 'checks.unknown@1' });
    expect(score.reasoning).toContain('there is no such check');
  });

  it.each([
    ['min_length', 'ten'],
    ['min_length', -1],
    ['word_count', [3, 2]],
    ['word_count', {}],
    ['required_sections', []],
    ['keywords', [1]],
    ['regex', { pattern: 'a', flags: 'q' }],
    ['json_schema', 'object'],
    ['json_schema', { type: 'objekt' }],
  ] as const)(
    'VS-11 %s with the bad parameter %j fails that check, and reports why',
    (check, value) => {
      const score = run(check, value, 'some text');
      expect(score).toMatchObject({ state: 'scored', value: 0, met: false });
      expect(score.reasoning).toMatch(/^the check could not run: .{10}/);
      expect(describeCheck({ check, value }).length).toBeGreaterThan(5);
    },
  );

  it('scores report positions in code points', () => {
    expect(run('regex', 'b+', '😀abb').evidence).toEqual([
      { kind: 'quote', ref: 'output:2-4', text: 'bb' },
    ]);
    expect(
      run('keywords', ['late', 'ear'], '😀 early, late').evidence.map(({ ref }) => ref),
    ).toEqual(['output:2-5', 'output:9-13']);
    expect(
      run('required_sections', ['B', 'A'], '# A\n\n# B').evidence.map(({ text }) => text),
    ).toEqual(['# A', '# B']);
  });

  it('lists give the found share, and pass when it is complete', () => {
    expect(run('keywords', ['a', 'b', 'z', 'y'], 'ab')).toMatchObject({
      value: 0.5,
      met: false,
      reasoning: 'missing: "z", "y"',
    });
    expect(run('required_sections', ['A', 'B'], '# A')).toMatchObject({
      value: 0.5,
      met: false,
      reasoning: 'no heading says "B"',
    });
  });
});

describe('required sections', () => {
  it.each([
    ['ATX', '## Executive Summary\ntext'],
    ['six signs', '###### executive summary'],
    ['closed ATX', '## Executive Summary ##'],
    ['setext =', 'Executive Summary\n====='],
    ['setext -', 'Executive Summary\n---'],
    ['bold line', '**Executive Summary**'],
    ['bold line with a colon', '**Executive Summary:**'],
    ['underscores', '__Executive Summary__:'],
    ['numbered', '## 1. Executive Summary'],
    ['numbered twice', '## 3.1 Executive *Summary*'],
    ['Roman', '# IV. Executive Summary'],
    ['link', '## [Executive Summary](#a)'],
    ['CRLF', 'x\r\n\r\n## Executive Summary\r\n'],
  ])('VS-12 a %s is a heading', (_name, text) => {
    expect(run('required_sections', ['Executive summary'], text).met).toBe(true);
  });

  it.each([
    ['the word in prose', 'The executive summary follows below.'],
    ['a bold word in prose', 'Read the **Executive Summary** first.'],
    ['fenced code', '```md\n## Executive Summary\n```'],
    ['an unclosed fence', '~~~\n## Executive Summary'],
    ['indented code', '    ## Executive Summary'],
    ['an HTML comment', '<!--\n## Executive Summary\n-->'],
    ['no space after the sign', '##Executive Summary'],
    ['seven signs', '####### Executive Summary'],
    ['part of a longer heading', '## Executive Summary of last year'],
    ['a list', '- Executive Summary'],
  ])('VS-12 %s is not a section', (_name, text) => {
    expect(run('required_sections', ['Executive Summary'], text).met).toBe(false);
  });

  it('VS-12 a heading after closed code and comments counts again', () => {
    expect(listHeadings('```\n# A\n```\n<!-- x -->\n# B').map(({ title }) => title)).toEqual(['B']);
  });
});

describe('patterns of callers', () => {
  it.each([
    ['(?=a)b', /look-ahead and look-behind/],
    ['(?<!a)b', /look-ahead and look-behind/],
    ['(a)\\1', /back-references/],
    ['a{1001}', /at most 1000/],
    ['(a{1000}){1000}', /at most 1000/],
    ['[a', /cannot be read/],
    ['a'.repeat(1001), /at most 1000 characters/],
  ])('VS-13 %s is refused with a clear reason', (pattern, reason) => {
    expect(run('regex', pattern, 'x').reasoning).toMatch(reason);
  });

  it.each(['^(a+)+$', '(a|a)*b', '(a|aa)+$', '(.*)*x', '([a-z]+)*@', '(x+x+)+y'])(
    'VS-13 %s does not backtrack',
    (pattern) => {
      expect(processorMs(() => run('regex', pattern, `${'a'.repeat(50_000)}!`))).toBeLessThan(
        2_000,
      );
    },
  );

  it('VS-13 a pattern too large for its text is refused immediately', () => {
    expect(run('regex', '^.*a.{900}$', 'ab'.repeat(500_000)).reasoning).toContain(
      'too large for a text',
    );
  });
});

describe('json_schema', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://a.example/order',
    type: 'object',
    required: ['id', 'items'],
    properties: {
      id: { type: 'string', pattern: '^o-\\d+$' },
      items: { type: 'array', items: { type: 'number' } },
      at: { format: 'date' },
    },
  };

  it.each([
    ['{"id":"o-1","items":[1]}', true],
    ['{"id":"o-1"}', false],
    ['{"id":"x","items":[]}', false],
    ['{"id":"o-1","items":["1"]}', false],
    ['{"id":"o-1","items":[],"at":"yesterday"}', false],
    ['[]', false],
    ['not json', false],
    ['```json\n{"id":"o-1","items":[1]}\n```', false],
  ])('VS-10 %s: %s', (text, met) => {
    expect(run('json_schema', schema, text)).toMatchObject({ state: 'scored', met });
  });

  it('reports several faults at once', () => {
    expect(run('json_schema', schema, '{"items":["x"]}').reasoning).toContain(
      "must have required property 'id'; /items/0 must be number",
    );
  });

  it('two schemas of the same id are independent', () => {
    expect(run('json_schema', { $id: 'same', type: 'string' }, '1').met).toBe(false);
    expect(run('json_schema', { $id: 'same', type: 'number' }, '1').met).toBe(true);
  });

  it.each([
    [
      'a reference outside (S-52: it is not fetched)',
      { $ref: 'https://a.example/other.json' },
      '1',
      /cannot be used/,
    ],
    ['an asynchronous schema', { $async: true, type: 'object' }, '{}', /not supported/],
    ['a pattern that could run away', { pattern: '(?=a)' }, '"a"', /look-ahead/],
    ['too large a schema', { enum: ['x'.repeat(70_000)] }, '"x"', /at most 65536/],
  ])("VS-11 %s is that check's failure", (_name, broken, text, reason) => {
    const score = run('json_schema', broken, text);
    expect(score).toMatchObject({ value: 0, met: false });
    expect(score.reasoning).toMatch(reason);
  });

  it('VS-13 a schema that would never finish is terminated', () => {
    const twice = { properties: { a: { $ref: '#' } } };
    const text = `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`;
    const endless = { allOf: [twice, { properties: { a: { $ref: '#' } } }] };
    expect(() => run('json_schema', endless, text)).toThrow(
      'over budget: comparing the text with the schema took longer than 2 s',
    );
  });

  it('a tree may reference itself', () => {
    const tree = {
      type: 'object',
      properties: { left: { $ref: '#' }, right: { $ref: '#' } },
      additionalProperties: false,
    };
    expect(run('json_schema', tree, '{"left":{"right":{}}}').met).toBe(true);
    expect(run('json_schema', tree, '{"left":{"middle":{}}}').met).toBe(false);
  });
});

describe('arbitrary input', () => {
  const values: Record<string, unknown> = {
    regex: 'a+b',
    min_length: 5,
    max_length: 5,
    word_count: [1, 5],
    required_sections: ['A'],
    json_schema: { type: 'object' },
    urls_valid: true,
    keywords: ['a'],
  };

  it('VS-13 every check gives one score for any text', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(values)),
        fc.string({ unit: 'binary', maxLength: 300 }),
        (check, text) => {
          const score = run(check, values[check], text);
          expect(score.state).toBe('scored');
          expect(score.value).toBeGreaterThanOrEqual(0);
          expect(score.value).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: caseCount(500) },
    );
  });

  it.each([
    '#'.repeat(1000),
    '[',
    '# [',
    '**a',
    '`',
    '<!--',
    'http://(',
    '> ',
    '- ',
    'a. ',
    '\t',
    '```\n',
    '# a\n',
    'a\n=\n',
  ])('VS-13 a megabyte of %j takes no longer than any other text', (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    for (const check of ['required_sections', 'urls_valid', 'word_count', 'keywords', 'regex']) {
      expect(
        processorMs(() => run(check, values[check], text)),
        check,
      ).toBeLessThan(8_000);
    }
  });

  it('words are counted as people count them', () => {
    expect(["don't stop", 'state-of-the-art', 'a - b', '数据保护', ' \n'].map(countWords)).toEqual([
      2, 1, 2, 4, 0,
    ]);
  });
});
