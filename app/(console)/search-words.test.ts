import { expect, test } from 'vitest';
import { hitHref, searchedText } from './search-words';

test.each([
  ['verdict', 'ver_1', null, '/p/ops/verdicts/ver_1'],
  ['turn', 'odd/1?x#', null, '/p/ops/turns/odd%2F1%3Fx%23'],
  ['subject', 'sub_1', 'ver_2', '/p/ops/verdicts/ver_2'],
  ['subject', 'sub_1', null, '/p/ops/settings/work'],
  ['trace', 'ab', null, '/p/ops/traces/ab'],
  ['session', 's 1', null, '/p/ops/sessions/s%201'],
  ['pipeline', 'p', null, '/p/ops/checkpoints/p'],
  ['call', 'call_1', 's/1', '/p/ops/gateway/sessions/s%2F1'],
  ['model', 'openai/gpt&x', null, '/p/ops/verdicts?model=openai%2Fgpt%26x'],
  ['verifier', 'task', null, '/p/ops/verifiers/task'],
  ['prompt', 'task-rubric', null, '/p/ops/prompts/task-rubric'],
  ['rule', 'integrity', null, '/p/ops/rules/integrity'],
  ['person', 'a@b.c', null, '/p/ops/settings/members'],
] as const)('a %s with id %s, which opens %s, is shown at %s', (kind, id, opens, href) => {
  expect(hitHref('ops', { kind, id, opens })).toBe(href);
});

test('an incomplete search is reported', () => {
  const searched = { newestVerdicts: 20_000, modelDays: 90 };
  expect(searchedText({ searched, unfinished: [] })).toBe(
    'Searched ids, names, models of 90 days, and the text of the newest 20,000 verdicts.',
  );
  expect(searchedText({ searched, unfinished: ['names', 'text'] })).toMatch(
    /Timed out: names and models, the text of verdicts\. Enter more characters/,
  );
});
