import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../testing/case-count';
import { messageText, EvaluationSubject, Mapping, subjectInput, subjectMembers } from './subject';

const bare = { output: 'It is 4.' };

describe('a subject', () => {
  test('missing members are null or empty, and parsing the result again changes nothing', () => {
    const read = EvaluationSubject.parse(bare);
    expect(read).toEqual({
      target: 'turn',
      id: null,
      input: { last_user: null, system: null, messages: [] },
      output: 'It is 4.',
      tools: [],
      context: [],
      files: [],
      reference: null,
      model: null,
      source: null,
      session_id: null,
      trace_id: null,
      mission_id: null,
      tags: [],
      metadata: {},
      cost_usd: null,
      tokens: { input: null, output: null },
      latency_ms: null,
      steps: [],
      verdicts: {},
    });
    expect(EvaluationSubject.parse(read)).toEqual(read);
  });

  test('the subject of the contract is read as it is', () => {
    const sent = {
      target: 'turn',
      id: 'turn_1',
      input: { last_user: 'q', system: 's', messages: [{ role: 'user', content: 'q' }] },
      output: { answer: 4 },
      tools: [
        {
          id: 'c1',
          name: 'disk',
          arguments: { host: 'web-1' },
          result: [1],
          error: null,
          started_at: '2026-01-05T10:00:00Z',
          duration_ms: 3,
        },
      ],
      context: [{ id: 'doc', content: { title: 't' } }],
      files: [{ path: 'a.ts', content: '' }],
      reference: { a: 1 },
      model: 'openai/gpt-4o',
      source: 'shop',
      session_id: 's',
      trace_id: 't',
      mission_id: null,
      tags: ['prod'],
      metadata: { tier: 'paid' },
      cost_usd: 0.004,
      tokens: { input: 1, output: 1 },
      latency_ms: 812,
      steps: [{ kind: 'llm', name: 'n', input: null, output: 'x', error: null }],
      verdicts: { integrity: { outcome: 'passed', score: 1 } },
    };
    const read = EvaluationSubject.parse(sent);
    expect(read).toEqual({
      ...sent,
      verdicts: {
        integrity: { outcome: 'passed', score: 1, verdict: null, verification_id: null },
      },
    });
  });

  test.each([
    ['an unknown member', { ...bare, ouput: 1 }],
    ['turns of a turn', { ...bare, turns: [] }],
    ['a trace within a session', { target: 'session', turns: [{ target: 'trace' }] }],
    ['an unknown target', { target: 'span' }],
    ['a negative cost', { ...bare, cost_usd: -1 }],
    ['an outcome that is none', { ...bare, verdicts: { task: { outcome: 'pass' } } }],
  ])('%s is refused', (_, sent) => {
    expect(EvaluationSubject.safeParse(sent).success).toBe(false);
  });

  test('sessions and missions hold turns; items without an id are named by their place', () => {
    const read = EvaluationSubject.parse({
      target: 'session',
      turns: [{ tools: [{ name: 'a' }, { id: 'x' }], context: [{ content: 'c' }] }],
    });
    expect(read).toMatchObject({
      turns: [
        {
          target: 'turn',
          tools: [
            { id: 'tools[0]', name: 'a', result: null },
            { id: 'x', name: 'tool' },
          ],
          context: [{ id: 'context[0]', content: 'c' }],
        },
      ],
    });
    expect(subjectMembers.session).toContain('turns');
    expect(subjectMembers.trace).not.toContain('turns');
  });
});

describe('input', () => {
  test.each([
    ['nothing', null, null, null],
    ['a text', 'q', 'q', null],
    [
      'a conversation',
      [
        { role: 'system', content: 's' },
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'q' },
      ],
      'q',
      's',
    ],
    [
      'parts',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'q' },
            { type: 'image_url', image_url: {} },
          ],
        },
      ],
      'q',
      null,
    ],
    [
      'results that the user carries',
      [
        { role: 'user', content: 'q' },
        { role: 'user', content: [{ type: 'tool_result', content: 'x' }] },
      ],
      'q',
      null,
    ],
    ['a question in an object', { question: 'q', lang: 'en' }, 'q', null],
    ['two texts in an object', { question: 'q', query: 'r' }, '{"question":"q","query":"r"}', null],
    ['a number', 4, '4', null],
    ['a list that is no conversation', [1, 2], '[1,2]', null],
    ['last user and system', { last_user: 'q', system: 's' }, 'q', 's'],
  ])('%s', (_, sent, lastUser, system) => {
    expect(subjectInput(sent)).toMatchObject({ last_user: lastUser, system });
  });

  test('members of an object of another shape stay', () => {
    expect(subjectInput({ question: 'q', lang: 'en' })).toMatchObject({
      lang: 'en',
      question: 'q',
    });
  });

  test('reading any JSON again gives the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = subjectInput(value);
        expect(subjectInput(once)).toEqual(once);
        expect(typeof (messageText(value) ?? '')).toBe('string');
      }),
      { numRuns: caseCount(500) },
    );
  });
});

test.each([
  [{ 'policy-text': '$.output' }, false],
  [{ policy: '$.output', limit: { value: null } }, true],
  [{ policy: { valeu: 1 } }, false],
  [{ policy: `$.${'a'.repeat(1_000)}` }, false],
])('a mapping names variables: %j', (mapping, isGood) => {
  expect(Mapping.safeParse(mapping).success).toBe(isGood);
});
