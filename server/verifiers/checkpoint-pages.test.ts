import { describe, expect, test } from 'vitest';
import { showSubject } from './pages';

const viewCheckpoint = (kind: string, content: string, detail: unknown) =>
  showSubject({ storedKind: kind, kind, detail }, content).checkpoint;

const content = (subject: unknown): string => JSON.stringify({ subject, facts: {} });
const decomposition = content({
  query: 'Why is it slow?',
  complexity: 'MEDIUM',
  context: ['a log', { rows: 2 }],
  agents: [{ name: 'reader', capabilities: ['sql'], tools: ['psql'], allowed_in: ['prod'] }],
  decomposition: {
    goal: 'Find out',
    subgoals: [
      { id: 'a', description: 'Look', agent: 'reader', depends_on: [], requires: ['sql'] },
      { id: 'b', depends_on: ['a'] },
    ],
    execution_order: [{ phase: 'sequential', subgoals: ['a', 'b'] }],
  },
});

describe('viewCheckpoint', () => {
  test('SOAR-3 SOAR-4 X-2 a decomposition: scores in the order of their weights, the stated overall next to the computed one', () => {
    const view = viewCheckpoint('decomposition', decomposition, {
      option: 'self',
      self_verified: true,
      scores: { routability: 0.4, completeness: 0.1, consistency: 0.2, groundedness: 0.3 },
      overall_score: 0.22,
      stated_overall: 0.9,
      stated_verdict: 'PASS',
      suggestions: ['Add a subgoal'],
      error: 'too thin',
    });
    expect(view).toMatchObject({
      query: 'Why is it slow?',
      context: ['a log', '{\n  "rows": 2\n}'],
      agents: [{ name: 'reader', skills: ['sql', 'psql'], allowedIn: ['prod'] }],
      subgoals: [
        { id: 'a', agent: 'reader', requires: ['sql'] },
        { id: 'b', description: '', agent: null, dependsOn: ['a'] },
      ],
      order: [{ parallel: false, subgoals: ['a', 'b'] }],
      selfVerified: true,
      overall: 0.22,
      statedOverall: 0.9,
      statedVerdict: 'PASS',
      suggestions: ['Add a subgoal'],
      error: 'too thin',
    });
    expect(view?.kind === 'decomposition' ? view.scores.map(({ name }) => name) : []).toEqual([
      'completeness',
      'consistency',
      'groundedness',
      'routability',
    ]);
  });

  test('SOAR-16 an output: its summary separate, its other members by name; a non-object unchanged', () => {
    const output = {
      agent: 'reader',
      summary: 'It is the index.',
      data: { rows: 1 },
      confidence: 0.4,
      tools_used: [],
    };
    const subject = {
      subgoal: { id: 'a', description: 'Look', critical: true },
      output,
      agents_available: ['writer'],
    };
    const detail = {
      format_errors: ['metadata is missing'],
      confidence: 0.4,
      next: 'retry_other_agent',
      next_agent: 'writer',
    };
    expect(viewCheckpoint('agent-output', content(subject), detail)).toMatchObject({
      subgoal: { critical: true },
      agent: 'reader',
      summary: 'It is the index.',
      members: [
        ['data', '{\n  "rows": 1\n}'],
        ['confidence', '0.4'],
        ['tools_used', '[]'],
      ],
      formatErrors: ['metadata is missing'],
      next: 'retry_other_agent',
      nextAgent: 'writer',
    });
    expect(
      viewCheckpoint('agent-output', content({ ...subject, output: 'done' }), null),
    ).toMatchObject({
      agent: null,
      summary: null,
      members: [['', 'done']],
      next: null,
    });
  });

  test('SOAR-21 SOAR-24 a synthesis: claims with their state and support, outputs unchanged', () => {
    const claim = {
      text: 'It is.',
      start: 0,
      end: 6,
      state: 'supported',
      supported_by: ['o1'],
      by: 'text',
      reason: null,
    };
    const subject = {
      query: 'q',
      answer: 'It is.',
      agent_outputs: [{ id: 'o1', agent: 'reader', summary: 's', data: [1] }, { id: 'o2' }],
    };
    expect(
      viewCheckpoint('synthesis', content(subject), {
        traceability: 1,
        claims: [{ ...claim, start: null, end: null }, 7, claim],
        coherence: null,
      }),
    ).toMatchObject({
      answer: 'It is.',
      outputs: [
        { id: 'o1', agent: 'reader', data: '[\n  1\n]' },
        { id: 'o2', agent: null, summary: '', data: null },
      ],
      claims: [
        { state: 'supported', supportedBy: ['o1'], start: null },
        { start: 0, end: 6 },
      ],
      traceability: 1,
      coherence: null,
      fallback: null,
    });
  });

  test.each([
    null,
    7,
    'text',
    [],
    { scores: 'none', claims: [{ text: 1 }], suggestions: {}, fallback: 1, format_errors: 'x' },
  ])('a detail of any shape is read as far as possible: %j', (detail) => {
    for (const kind of ['decomposition', 'agent-output', 'synthesis']) {
      expect(viewCheckpoint(kind, content({}), detail)).toMatchObject({
        kind,
        error: null,
        suggestions: [],
      });
    }
  });

  test.each(['no JSON', 'null', '{"subject":7}'])(
    'unreadable ones, and other kinds, are not shown so: %s',
    (text) => {
      for (const kind of ['decomposition', 'agent-output', 'synthesis'])
        expect(viewCheckpoint(kind, text, {})).toBeNull();
      expect(viewCheckpoint('task', decomposition, {})).toBeNull();
    },
  );
});
