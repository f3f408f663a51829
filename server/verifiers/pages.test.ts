import { describe, expect, test } from 'vitest';
import { showSubject } from './pages';
import { viewDetail } from './subject-detail';

const showContent = (kind: string, stored: string) =>
  showSubject({ storedKind: kind, kind, detail: null }, stored).content;
const content = (subject: unknown): string => JSON.stringify({ subject, facts: {} });

test('online.md 3: a verifier of the project shows its subject and its findings, by its kind', () => {
  const stored = content({ subject: { output: 'Done' }, variables: { policy: 'P' } });
  const results = [
    { check: 'pii', name: 'n', met: true, value: 1, state: 'scored', reasoning: null, field: null },
  ];
  expect(
    showSubject({ storedKind: 'refund-policy', kind: 'checks', detail: { results } }, stored),
  ).toMatchObject({
    content: { context: 'policy: P', outputs: [{ name: 'output', text: 'Done' }], other: null },
    custom: { findings: 'checks', results: [{ met: true }] },
  });
  const judge = { output: true, choice: null, reasoning: 'r', votes: [], criteria: [] };
  expect(
    showSubject({ storedKind: 'mine', kind: 'judge', detail: judge }, stored).custom,
  ).toMatchObject({ findings: 'judge', reasoning: 'r' });
  expect(showSubject({ storedKind: 'mine', kind: null, detail: null }, 'no JSON')).toMatchObject({
    content: { other: 'no JSON' },
    custom: null,
  });
  expect(
    showSubject({ storedKind: 'task', kind: 'task', detail: { results } }, stored).custom,
  ).toBeNull();
});

describe('viewSubject', () => {
  test('VS-1 VS-2 a task: criteria in words, checks with their values, as sent or as stored', () => {
    const view = showContent(
      'task',
      content({
        task_description: 'Do it',
        success_criteria: [
          'Plain words',
          { text: 'Weighed', weight: 2, must_pass: true },
          { check: 'max_length', value: 10 },
          { check: 'regex', value: '^a', must_pass: false, weight: 0 },
        ],
        task_output: 'Done',
        shared_context: { rows: [1] },
        scoring_mode: 'binary',
      }),
    );
    expect(view).toMatchObject({
      description: 'Do it',
      context: '{"rows":[1]}',
      scoringMode: 'binary',
      other: null,
    });
    expect(view.criteria).toEqual([
      { text: 'Plain words', check: null, weight: 1, mustPass: false },
      { text: 'Weighed', check: null, weight: 2, mustPass: true },
      { text: '10', check: 'max_length', weight: 1, mustPass: true },
      { text: '^a', check: 'regex', weight: 0, mustPass: false },
    ]);
    expect(view.outputs).toEqual([
      {
        title: 'Output',
        name: 'output',
        text: 'Done',
        description: null,
        verificationId: null,
        verdict: null,
      },
    ]);
  });

  test('VS-42 compared outputs; VS-46 tasks of a mission', () => {
    const pair = showContent(
      'consistency',
      content({ outputs: [{ task_id: 'a', output: 'x' }], shared_context: 'c' }),
    );
    expect(pair.outputs).toEqual([
      { title: null, name: 'a', text: 'x', description: null, verificationId: null, verdict: null },
    ]);
    const mission = showContent(
      'mission',
      content({
        description: 'm',
        tasks: [{ task_id: 't', output: 'o', verification_id: 'ver_1', verdict: 'pass' }],
      }),
    );
    expect(mission.outputs).toEqual([
      {
        title: null,
        name: 't',
        text: 'o',
        description: null,
        verificationId: 'ver_1',
        verdict: 'pass',
      },
    ]);
  });

  test.each(['no JSON', 'null', '{"subject":7}', content({ task_output: 1 })])(
    'unreadable content is shown unchanged: %s',
    (text) => {
      for (const kind of ['task', 'consistency', 'mission', 'constructor'])
        expect(showContent(kind, text).other).toBe(text);
    },
  );
});

test.each([
  null,
  undefined,
  7,
  'text',
  [],
  {},
  { criteria_scores: 'none', quality_scores: 1, pairs: [{ a: 1 }], weakest: [1] },
])('a detail of any shape is read as far as possible: %j', (detail) => {
  expect(viewDetail(detail)).toMatchObject({
    criteria: [],
    failures: [],
    suggestions: [],
    status: null,
    summary: null,
  });
});

test('VS-3 VS-51 the detail of a task', () => {
  const view = viewDetail({
    criteria_scores: [
      { criterion: 'c', score: 0.9, met: true, reasoning: 'r', weight: 1, must_pass: false },
    ],
    quality_scores: { clarity: 0.5, format: 1 },
    deterministic_failures: [
      { check: 'regex', criterion: 'regex a', reason: 'none', must_pass: true },
    ],
    verification_status: 'awaiting_human',
    retry_after_ms: 10_000,
    weakest: [{ task_id: 'b', reason: 'thin' }],
  });
  expect(view).toMatchObject({
    status: 'awaiting_human',
    retryAfterMs: 10_000,
    weakest: [{ taskId: 'b', reason: 'thin' }],
  });
  expect(view.qualities).toEqual([
    ['clarity', 0.5],
    ['format', 1],
  ]);
});
