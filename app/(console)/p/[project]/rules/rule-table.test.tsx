import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Rule } from '@/app/_trpc/outputs';
import { RuleTable } from './rule-table';

const rule: Rule = {
  name: 'chat',
  version: 2,
  verifier: 'integrity',
  verifierTargets: ['turn', 'trace'],
  target: 'turn',
  filter: { model: 'openai/*' },
  mapping: null,
  sampling: 0.255,
  sampleBy: 'subject',
  every: null,
  delaySeconds: 60,
  dailyBudget: 1000,
  dailyBudgetUsd: null,
  sources: { blocks: [], documents: false, earlier_messages: false },
  enabled: true,
  createdBy: 'me',
  updatedAt: new Date(0),
  decided: [
    { state: 'run', count: 1200 },
    { state: 'sampled_out', count: 7 },
  ],
  spentToday: 12,
};

const nothing = () => undefined;
const shown = (over: Partial<Rule>, mayWrite = true) =>
  renderToStaticMarkup(
    <RuleTable
      project="p"
      rules={[{ ...rule, ...over }]}
      mayWrite={mayWrite}
      switching={null}
      onSwitch={nothing}
      onOpen={nothing}
    />,
  );

test('X-10 a rule reads in words, with counts that link to its decisions', () => {
  const html = shown({});
  for (const text of [
    'model: &quot;openai/*&quot;',
    '25.5%',
    '60 s',
    '12 of 1,000',
    '1,200',
    '/p/p/rules/chat?state=sampled_out',
  ])
    expect(html, text).toContain(text);
  const plain = shown({
    filter: {},
    sampling: 1,
    delaySeconds: 0,
    dailyBudget: null,
    spentToday: null,
    decided: [],
  });
  for (const text of ['every turn', '>all<', 'at once', 'no limit', '>none<'])
    expect(plain, text).toContain(text);
  expect(shown({ filter: null })).toContain('this release cannot read its filter');
});

test('S-1 a user who may not change rules has no button and a locked switch', () => {
  const html = shown({}, false);
  expect(html).not.toContain('Edit chat');
  expect(html).toMatch(/role="switch"[^>]*disabled/);
});
