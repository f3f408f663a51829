import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseCount } from '../../../../testing/case-count';
import { EvaluationSubject } from '../../../domain';
import { CheckEntry, customChecks, prepareEntry } from '.';

/** The score of one entry for a subject, parsed as it would be when saved. */
async function score(
  entry: Record<string, unknown>,
  given: Record<string, unknown> = {},
  variables: Record<string, unknown> = {},
) {
  const parsed = CheckEntry.parse(entry);
  expect(CheckEntry.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
  const subject = EvaluationSubject.parse(given);
  return prepareEntry(parsed).run({ subject, root: { ...subject, ...variables } });
}

const said = (output: unknown, more: object = {}) => ({ output, ...more });
const call = (name: string, args: unknown = {}) => ({ name, arguments: args });
const step = (kind: string) => ({ kind, name: 'x' });

describe('checks of custom verifiers', () => {
  it.each([
    [{ check: 'contains', value: 'fund' }, said('A refund.'), true],
    [{ check: 'contains', value: 'Fund' }, said('A refund.'), false],
    [{ check: 'contains', value: 'FUND', ignore_case: true }, said('A refund.'), true],
    [{ check: 'contains' }, said('A refund.', { reference: 'refund' }), true],
    [{ check: 'contains', value: ['a', 'z'], any: true }, said('abc'), true],
    [{ check: 'contains', value: ['a', 'z'] }, said('abc'), false],
    [
      { check: 'contains', field: '$.context[*].content', value: 'two' },
      { context: [{ content: 'one' }, { content: 'two' }] },
      true,
    ],
    [{ check: 'not_contains', value: ['x', 'y'] }, said('abc'), true],
    [{ check: 'not_contains', value: ['x', 'b'] }, said('abc'), false],
    [{ check: 'equals' }, said('Yes', { reference: 'Yes' }), true],
    [{ check: 'equals' }, said('yes ', { reference: 'Yes' }), false],
    [{ check: 'equals', normalized: true }, said(' yes\n', { reference: 'Yes' }), true],
    [{ check: 'equals', value: { a: 1, b: [2] } }, said('{"b":[2],"a":1}'), true],
    [{ check: 'equals', value: { a: 1 } }, said({ a: 1 }), true],
    [{ check: 'equals', value: { a: 1 } }, said('{"a":2}'), false],
    [
      { check: 'equals', reference: '$.metadata.answer' },
      said('4', { metadata: { answer: '4' } }),
      true,
    ],
    [{ check: 'edit_distance', value: 'kitten', min: 0.5 }, said('sitting'), true],
    [{ check: 'edit_distance', value: 'kitten', min: 0.6 }, said('sitting'), false],
    [{ check: 'rouge', value: 'the cat sat', min: 1 }, said('The cat sat.'), true],
    [
      { check: 'rouge', value: 'the cat sat', variant: 'rouge-2', min: 0.9 },
      said('sat cat the'),
      false,
    ],
    [{ check: 'rouge', value: '数据保护', variant: 'rouge-1', min: 1 }, said('保护数据'), true],
    [{ check: 'rouge', value: 'x', min: 0.1 }, said('...'), false],
    [{ check: 'bleu', value: 'two words', min: 1 }, said('Two words!'), true],
    [
      { check: 'bleu', value: 'constructor __proto__', min: 1 },
      said('constructor __proto__'),
      true,
    ],
    [{ check: 'bleu', value: 'nothing alike', min: 0.1 }, said('other text'), false],
    [{ check: 'json_path', path: '$.a[0]' }, said('{"a":[1]}'), true],
    [{ check: 'json_path', path: '$.a', equals: [1] }, said({ a: [1] }), true],
    [{ check: 'json_path', path: '$.a[*]', equals: [1, 2] }, said({ a: [1, 2] }), true],
    [{ check: 'json_path', path: '$.b' }, said('{"a":1}'), false],
    [{ check: 'json_path', path: '$.b', exists: false }, said('{"a":1}'), true],
    [{ check: 'json_path', path: '$.b', exists: false }, said('no json'), false],
    [{ check: 'regex', value: '^a' }, said('abc'), true],
    [{ check: 'regex', value: 'b', field: '$.input.last_user' }, { input: 'abc' }, true],
    [{ check: 'json_schema', value: { type: 'object' } }, said({}), true],
    [
      { check: 'json_schema', value: { type: 'array' }, field: '$.tools[0].arguments' },
      { tools: [call('a')] },
      false,
    ],
    [{ check: 'word_count', value: [1, 2] }, said('one two'), true],
    [{ check: 'urls_valid' }, said('https://a..example'), false],
    [{ check: 'valid_json' }, said('{"a":1}'), true],
    [{ check: 'valid_json' }, said('```json\n{}\n```'), false],
    [{ check: 'valid_json', fenced: true }, said('```json\n{}\n```'), true],
    [{ check: 'valid_json' }, said('{a:1}'), false],
    [{ check: 'valid_yaml' }, said('a: 1\nb: [x, y]'), true],
    [{ check: 'valid_yaml' }, said('a: [1'), false],
    [{ check: 'valid_yaml', root: 'mapping' }, said('Just a sentence.'), false],
    [{ check: 'valid_yaml', root: 'sequence', fenced: true }, said('```yaml\n- a\n```'), true],
    [{ check: 'valid_sql' }, said('SELECT a FROM b WHERE c = 1'), true],
    [{ check: 'valid_sql' }, said('SELEC a FROM b'), false],
    [{ check: 'valid_sql', dialect: 'mysql' }, said('SELECT `a` FROM `b`'), true],
    [{ check: 'valid_sql', statements: ['select'] }, said('SELECT 1; DELETE FROM a'), false],
    [{ check: 'valid_sql', statements: ['select'] }, said(' '), false],
    [{ check: 'valid_links' }, said('[a](https://a.example) and [b](/docs#x "t")'), true],
    [{ check: 'valid_links' }, said('[a]()'), false],
    [{ check: 'valid_links' }, said('[a](https://a..example)'), false],
    [{ check: 'valid_links', hosts: ['a.example'] }, said('https://b.a.example/x'), true],
    [{ check: 'valid_links', hosts: ['a.example'] }, said('https://evil-a.example/x'), false],
    [{ check: 'tool_called', name: 'search' }, { tools: [call('search')] }, true],
    [{ check: 'tool_called', name: 'search' }, { tools: [] }, false],
    [{ check: 'tool_called', name: 'search', min: 2 }, { tools: [call('search')] }, false],
    [
      { check: 'tool_called', name: 'search', max: 1 },
      { tools: [call('search'), call('search')] },
      false,
    ],
    [
      { check: 'tool_called', name: 'search', arguments: { query: { contains: 'refund' } } },
      { tools: [call('search', { query: 'my refund' })] },
      true,
    ],
    [
      { check: 'tool_called', name: 'search', arguments: { query: { contains: 'refund' } } },
      { tools: [call('search', '{"query":"my refund"}')] },
      true,
    ],
    [
      {
        check: 'tool_called',
        name: 'search',
        arguments: { n: { equals: 3 }, q: { matches: '^a+$' } },
      },
      { tools: [call('search', { n: 3, q: 'aab' })] },
      false,
    ],
    [
      { check: 'tool_called', name: 'search' },
      { target: 'session', turns: [{ tools: [call('search')] }] },
      true,
    ],
    [{ check: 'tool_not_called', name: 'delete' }, { tools: [call('search')] }, true],
    [
      { check: 'tool_not_called', name: 'delete', arguments: { id: { equals: 1 } } },
      { tools: [call('delete', { id: 1 })] },
      false,
    ],
    [
      { check: 'tool_arguments', name: 'a', arguments: { n: { equals: 1 } } },
      { tools: [call('a', { n: 1 }), call('a', { n: 2 })] },
      false,
    ],
    [
      { check: 'tool_order', names: ['a', 'c'] },
      { tools: [call('a'), call('b'), call('c')] },
      true,
    ],
    [
      { check: 'tool_order', names: ['a', 'c'], exact: true },
      { tools: [call('a'), call('b'), call('c')] },
      false,
    ],
    [{ check: 'tool_order', names: ['c', 'a'] }, { tools: [call('a'), call('c')] }, false],
    [
      { check: 'step_count', max: 1 },
      { target: 'trace', steps: [step('llm'), step('tool')] },
      false,
    ],
    [
      { check: 'step_count', kind: 'tool', min: 1, max: 1 },
      { target: 'trace', steps: [step('llm'), step('tool')] },
      true,
    ],
    [
      { check: 'step_count', kind: 'agent', max: 0 },
      { target: 'trace', steps: [step('llm')] },
      true,
    ],
    [{ check: 'latency_ms', max: 5000 }, { latency_ms: 5000 }, true],
    [{ check: 'latency_ms', max: 5000 }, { latency_ms: 5001 }, false],
    [{ check: 'cost_usd', max: 0.01 }, { cost_usd: 0.02 }, false],
    [{ check: 'tokens', max: 10 }, { tokens: { input: 5, output: 6 } }, false],
    [{ check: 'tokens', of: 'output', max: 10 }, { tokens: { input: null, output: 6 } }, true],
    [
      { check: 'language', expected: ['en'] },
      said('This is a sentence about the weather of today.'),
      true,
    ],
    [
      { check: 'language', expected: ['en', 'fr'] },
      said('Dies ist ein Satz über das Wetter von heute.'),
      false,
    ],
    [{ check: 'language', expected: ['ja'] }, said('これは天気の話です'), true],
    [{ check: 'refusal' }, said("I'm sorry, but I can't help with that."), false],
    [{ check: 'refusal' }, said('Es tut mir leid, aber ich kann dabei nicht helfen.'), false],
    [{ check: 'refusal' }, said('Je suis désolé, mais je ne peux pas vous aider.'), false],
    [{ check: 'refusal' }, said('Lo siento, pero no puedo ayudar con eso.'), false],
    [{ check: 'refusal' }, said('抱歉，我无法提供帮助。'), false],
    [{ check: 'refusal' }, said('You can get a refund within 14 days.'), true],
    [{ check: 'refusal', expected: true }, said('I cannot assist with this.'), true],
    [{ check: 'pii' }, said('Write to a@example.com'), false],
    [{ check: 'pii', types: ['card'] }, said('Write to a@example.com'), true],
  ])('%j of %j: %s', async (entry, subject, met) => {
    expect(await score(entry, subject)).toMatchObject({ state: 'scored', met });
  });

  it.each([
    [{ check: 'equals' }, said('x'), 'the subject has no value at $.reference'],
    [{ check: 'contains' }, said('x', { reference: '' }), 'the reference is empty'],
    [{ check: 'regex', value: 'a' }, {}, 'the subject has no value at $.output'],
    [{ check: 'regex', value: 'a', field: '$.metadata.x' }, said('x'), 'no value at $.metadata.x'],
    [{ check: 'latency_ms', max: 1 }, {}, 'the subject has no latency'],
    [{ check: 'cost_usd', max: 1 }, {}, 'the subject has no cost'],
    [
      { check: 'tokens', max: 1 },
      { tokens: { input: 1, output: null } },
      'total tokens is unknown',
    ],
    [{ check: 'step_count', max: 1 }, {}, 'the subject has no steps'],
    [{ check: 'tool_arguments', name: 'a', arguments: {} }, {}, '"a" was not called'],
    [{ check: 'language', expected: ['en'] }, said('OK 12'), 'too few to identify'],
  ])('%j without what it needs is unscored', async (entry, subject, reason) => {
    const found = await score(entry, subject);
    expect(found).toMatchObject({ state: 'unscored', value: null, met: null });
    expect(found.reasoning).toContain(reason);
  });

  it.each([
    [{ check: 'edit_distance', value: 'kitten' }, 'sitting', 1 - 3 / 7],
    [{ check: 'contains', value: ['a', 'z'] }, 'abc', 0.5],
    [{ check: 'keywords', value: ['a', 'z'] }, 'abc', 0.5],
    [{ check: 'valid_links' }, '[a]() [b](https://b.example)', 0.5],
    [{ check: 'rouge', value: 'a b c d', variant: 'rouge-1' }, 'a b', 2 / 3],
    [{ check: 'bleu', value: 'a b c d', max_n: 1 }, 'a b', Math.exp(-1)],
  ])('%j of %j has the value %d', async (entry, output, value) => {
    expect((await score(entry, { output })).value).toBeCloseTo(value, 6);
  });

  it('a mapped variable is a member of the subject', async () => {
    const entry = { check: 'contains', field: '$.policy', value: '14' };
    expect(await score(entry, {}, { policy: '14 days' })).toMatchObject({ met: true });
  });

  it('evidence names the output, or the query of another field', async () => {
    const entry = { check: 'contains', value: 'b' };
    expect((await score(entry, said('😀ab'))).evidence).toEqual([
      { kind: 'quote', ref: 'output:2-3', text: 'b' },
    ]);
    const other = await score({ ...entry, field: '$.input.last_user' }, { input: 'ab' });
    expect(other.evidence).toMatchObject([{ ref: '$.input.last_user:1-2' }]);
  });

  it('personal data is not copied into the score', async () => {
    const found = await score({ check: 'pii' }, said('x a@example.com'));
    expect(found.evidence).toEqual([{ kind: 'quote', ref: 'output:2-15' }]);
    expect(JSON.stringify(found)).not.toContain('example.com');
  });

  it.each([
    [
      { check: 'edit_distance', value: 'x'.repeat(60_000) },
      'y'.repeat(60_000),
      'too long to compare',
    ],
    [{ check: 'rouge', value: 'x' }, 'y '.repeat(600_000), 'at most 1000000'],
    [{ check: 'valid_sql' }, 'x'.repeat(100_001), 'at most 100000'],
    [{ check: 'valid_yaml' }, 'x'.repeat(1_000_001), 'at most 1000000'],
    [{ check: 'regex', value: '^.*a.{900}$' }, 'ab'.repeat(500_000), 'too large for a text'],
  ])('a text beyond the limit breaks the check %#', async (entry, output, reason) => {
    await expect(score(entry, { output })).rejects.toThrow(reason);
  });
});

describe('the definition of a check', () => {
  const faultOf = (entry: unknown): string => {
    const issue = CheckEntry.safeParse(entry).error?.issues[0];
    return `${issue?.path.join('.')}: ${issue?.message}`;
  };

  it.each([
    [{ check: 'tool_caled', name: 'a' }, 'check: is not known; did you mean `tool_called`?'],
    [{ check: 'toString' }, 'check: is not known; the known names are'],
    [{ check: 'latency_ms', mx: 5 }, 'mx: is not known; did you mean `max`?'],
    [{ check: 'pii', mustpass: true }, 'mustpass: is not known; did you mean `must_pass`?'],
    [{ check: 'latency_ms', max: 5, field: '$.output' }, 'field: is not known'],
    [{ check: 'latency_ms' }, 'max: is required, or `min`'],
    [{ check: 'cost_usd', min: 2, max: 1 }, 'min: must not be above `max` (1)'],
    [{ check: 'tool_called', name: 'a', max: 0 }, 'min: must not be above `max` (0)'],
    [{ check: 'tool_called' }, 'name: '],
    [
      { check: 'tool_called', name: 'a', arguments: { q: {} } },
      'arguments.q: must have `contains`',
    ],
    [
      { check: 'tool_called', name: 'a', arguments: { q: { matches: '(' } } },
      'arguments.q.matches: cannot be used',
    ],
    [{ check: 'regex' }, 'value: is required and must be a pattern'],
    [{ check: 'regex', value: '(?=a)' }, 'value: cannot be used: look-ahead'],
    [{ check: 'regex', value: { pattern: 'a', flag: 'i' } }, 'did you mean `flags`?'],
    [{ check: 'word_count', value: 3 }, 'value: must be [least, most]'],
    [{ check: 'json_schema', value: { type: 'objekt' } }, 'value: cannot be used: the schema'],
    [
      { check: 'equals', value: 1, reference: '$.reference' },
      'value: cannot be used with `reference`',
    ],
    [{ check: 'contains', value: '' }, 'value: must be a text, or a list'],
    [
      { check: 'contains', value: 'a', field: 'output' },
      'field: is not a usable query, at position 0',
    ],
    [{ check: 'json_path', path: '$[' }, 'path: is not a usable query'],
    [{ check: 'json_path', path: '$.a', exists: false, equals: 1 }, 'equals: cannot be used with'],
    [{ check: 'pii', types: ['emails'] }, 'types.0: '],
    [{ check: 'language', expected: ['english'] }, 'expected.0: must be a language code'],
    [{ check: 'pii', weight: -1 }, 'weight: '],
    [{ value: 'a' }, 'check: '],
    ['contains', ': '],
  ])('%j is refused', (entry, fault) => {
    expect(faultOf(entry)).toContain(fault);
  });

  it.each([...customChecks.values()].map((check) => [check.name, check] as const))(
    'the description of %s is complete, and its example can be used',
    (name, { meaning, needs, members, example }) => {
      expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      for (const text of [meaning, needs]) expect(text.length).toBeGreaterThan(5);
      const undescribed = Object.entries(members.shape).filter(
        ([, schema]) => schema.description?.endsWith('.') !== true,
      );
      expect(undescribed.map(([member]) => member)).toEqual(['check']);
      expect(CheckEntry.safeParse(example).error?.issues ?? []).toEqual([]);
      expect(prepareEntry(CheckEntry.parse(example)).title.length).toBeGreaterThan(3);
    },
  );
});

describe('arbitrary subjects', () => {
  it('each check gives a value of 0..1 or the reason why there is none', async () => {
    const examples = [...customChecks.values()].map(({ example }) => example);
    const names = fc.constantFrom('search', 'refund', 'delete_account', '__proto__');
    const subjects = fc.record({
      output: fc.oneof(fc.string({ unit: 'binary', maxLength: 100 }), fc.jsonValue()),
      reference: fc.option(fc.oneof(fc.string({ maxLength: 50 }), fc.jsonValue())),
      tools: fc.array(fc.record({ name: names, arguments: fc.jsonValue() }), { maxLength: 5 }),
      latency_ms: fc.option(fc.nat()),
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...examples), subjects, async (entry, subject) => {
        const found = await score(entry, subject);
        const isRate = found.value !== null && found.value >= 0 && found.value <= 1;
        expect(isRate).toBe(found.state === 'scored');
        expect(found.reasoning?.length).toBeGreaterThan(5);
      }),
      { numRuns: caseCount(2_000) },
    );
  });

  it('tools are in order exactly if their names are a subsequence of the calls', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const cases = fc.record({
      names: fc.array(name, { minLength: 1, maxLength: 4 }),
      calls: fc.array(name, { maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ names, calls }) => {
        const tools = calls.map((each) => call(each));
        const isSubsequence = new RegExp(names.join('.*')).test(calls.join(''));
        expect((await score({ check: 'tool_order', names }, { tools })).met).toBe(isSubsequence);
        const exact = await score({ check: 'tool_order', names, exact: true }, { tools });
        expect(exact.met).toBe(names.join() === calls.join());
      }),
      { numRuns: caseCount(1_000) },
    );
  });

  it('a text is as similar to itself as it can be', async () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        for (const check of ['equals', 'edit_distance', 'contains'])
          expect((await score({ check }, said(text, { reference: text }))).value).toBe(1);
      }),
      { numRuns: caseCount(500) },
    );
  });
});
