import { expect, test } from 'vitest';
import {
  type DraftedRule,
  draftOf,
  fieldErrorsOf,
  newDraft,
  offeredVerifiers,
  readDraft,
  type RuleDraft,
  targetFor,
} from './rule-draft';

const rule = (over: Partial<DraftedRule> = {}): DraftedRule => ({
  name: 'chat',
  verifier: 'integrity',
  target: 'turn',
  filter: {},
  mapping: null,
  sampling: 1,
  sampleBy: 'subject',
  every: null,
  delaySeconds: 0,
  dailyBudget: null,
  dailyBudgetUsd: null,
  sources: { blocks: [], documents: false, earlier_messages: false },
  enabled: true,
  ...over,
});

test.each<[Partial<DraftedRule>]>([
  [{}],
  [{ sampling: 0.07, delaySeconds: 60, dailyBudget: 0, enabled: false }],
  [{ sampling: 1 / 3, sampleBy: 'session' }],
  [{ every: 10, dailyBudgetUsd: 2.5 }],
  [{ target: 'trace', mapping: { output: '$.output', n: { value: 3 } } }],
  [
    {
      filter: {
        any: [{ model: 'a' }, { tags: ['b'] }],
        not: { source: 'c' },
        verdict: { verifier: 'task', outcome: ['failed', 'inconclusive'] },
      },
    },
  ],
  [
    {
      filter: {
        model: ['openai/*', 'b'],
        source: 'chat',
        origin: 'api',
        session_id: 's-*',
        tags: ['prod'],
      },
    },
  ],
  [{ filter: { metadata: { tier: [1, 2], on: true }, has_sources: false, min_answer_chars: 20 } }],
  [
    {
      sources: {
        blocks: [
          { by: 'tag', tag: 'context', roles: ['system', 'user'] },
          { by: 'pattern', pattern: '^--- (.*?) ---$', roles: ['user'] },
        ],
        documents: true,
        earlier_messages: true,
      },
    },
  ],
])('X-10 a rule opened in the form and saved is the same rule: %j', (over) => {
  const read = readDraft(draftOf(rule(over)));
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  const { filter, sampling, delaySeconds, dailyBudget, sources, enabled } = rule(over);
  expect(read.rule).toMatchObject({
    verifier: 'integrity',
    filter,
    delay_seconds: delaySeconds,
    daily_budget: dailyBudget,
    sources,
    enabled,
  });
  expect(read.rule.sampling).toBeCloseTo(sampling, 10);
});

test.each<[Partial<RuleDraft>, keyof RuleDraft]>([
  [{ name: '' }, 'name'],
  [{ name: 'Not This' }, 'name'],
  [{ share: '101' }, 'share'],
  [{ share: '' }, 'share'],
  [{ share: 'half' }, 'share'],
  [{ delay: '1.5' }, 'delay'],
  [{ delay: 'x' }, 'delay'],
  [{ budget: '-1' }, 'budget'],
  [{ budget: 'many' }, 'budget'],
  [{ minChars: '1.5' }, 'minChars'],
  [{ metadata: '{' }, 'metadata'],
  [{ metadata: '{"__proto__": 1}' }, 'metadata'],
  [{ model: 'x'.repeat(400) }, 'model'],
  [{ sourceBlocks: 'neither' }, 'sourceBlocks'],
  [{ sourceBlocks: '<1a>' }, 'sourceBlocks'],
])('X-10 %j is refused at its field', (over, field) => {
  const read = readDraft({ ...newDraft, name: 'chat', ...over });
  expect('errors' in read && Object.keys(read.errors)).toEqual([field]);
});

test('X-10 errors of the server are shown at their field; those without a field are shown for the whole form', () => {
  const fields = {
    'sources.blocks.0.pattern': 'Is too large.',
    'filter.has_sources': 'Cannot be true.',
    'rule.sampling': 'No.',
    other: 'x',
  };
  expect(fieldErrorsOf(fields)).toEqual({
    sourceBlocks: 'Is too large.',
    sources: 'Cannot be true.',
    share: 'No.',
  });
});

test('the form offers the verifiers of the project without archived ones, with their targets', () => {
  const task = { slug: 'task', targets: ['turn', 'trace'], archived: false } as const;
  const old = { slug: 'old', targets: ['session'], archived: true } as const;
  expect(offeredVerifiers([task, old], 'task')).toEqual([task]);
  expect(offeredVerifiers([task, old], 'old')).toEqual([task, old]);
  expect(targetFor(task, 'trace')).toBe('trace');
  expect(targetFor(old, 'trace')).toBe('session');
});
