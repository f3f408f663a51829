import { describe, expect, test } from 'vitest';
import {
  agentTraceJson,
  graphAnswer,
  graphPlan,
  graphQuestion,
  graphSketches,
  handoffAnswer,
  handoffQuestion,
  handoffSketches,
} from '../../testing/agent-traces';
import { EvaluationSubject } from '../domain';
import { traceSpansOf } from '../ingest/trace-spans-fixture';
import { decodeSegment, readTurn } from '../ingest';
import { type AnyKind, kinds, readSubject } from './registry';
import { fromMission, fromSession, fromTrace, fromTurn } from './subjects';
import type { Material } from './subjects/reading';

function getKind(name: string): AnyKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`no kind "${name}"`);
  return kind;
}

function turnOf(payload: string, id = 'turn_1'): Material {
  const content = readTurn(payload);
  const subject = fromTurn({
    id,
    sessionId: 's',
    traceId: null,
    source: null,
    model: 'gpt-4o',
    startedAt: null,
    endedAt: null,
    content,
    payload,
  });
  return { subject, turns: [content], spans: [], settings: {} };
}

function traceOf(
  sketches: Parameters<typeof agentTraceJson>[0],
  turns: readonly Material[] = [],
): Material {
  const spans = traceSpansOf(decodeSegment('json', agentTraceJson(sketches)));
  const subject = fromTrace({
    id: 't',
    sessionId: null,
    service: null,
    startedAt: null,
    endedAt: null,
    inputTokens: null,
    outputTokens: null,
    costUsd: null,
    tags: [],
    spans,
    turns: turns.flatMap((turn) => (turn.subject.target === 'turn' ? [turn.subject] : [])),
  });
  return { subject, turns: turns.flatMap((turn) => turn.turns), spans, settings: {} };
}

const asked = turnOf(
  '{"input":[{"role":"system","content":"Be exact."},{"role":"user","content":"How full?"}],"tools":[{"id":"c","name":"disk","result":{"pct":91.40}}],"output":"91.4 %"}',
);
const silent = turnOf('{"input":"Hi","output":"Hello"}');
const graph = traceOf(graphSketches);
const handoffTurn = turnOf(
  JSON.stringify({
    input: [{ role: 'user', content: handoffQuestion }],
    output: handoffAnswer,
    tools: [{ id: 'r', name: 'refund', result: { amount: 30 } }],
  }),
);
const handoff = traceOf(handoffSketches, [handoffTurn]);
const manyTurns = [asked, turnOf('{"input":"And now?","output":"92 %"}', 'turn_2')].flatMap(
  ({ subject }) => (subject.target === 'turn' ? [subject] : []),
);
const session: Material = {
  subject: fromSession({ id: 's', turns: manyTurns }),
  turns: [],
  spans: [],
  settings: {},
};
const mission: Material = {
  subject: fromMission({ id: 'm', turns: manyTurns, description: 'Watch the disks' }),
  turns: [],
  spans: [],
  settings: {},
};

test('the default readings are those of the contract', () => {
  const targets = [
    'task',
    'code',
    'integrity',
    'turn',
    'consistency',
    'mission',
    'decomposition',
    'agent-output',
    'synthesis',
  ].map((kind) => [kind, Object.keys(kinds.get(kind)?.readings ?? {})]);
  expect(Object.fromEntries(targets)).toEqual({
    task: ['turn', 'trace'],
    code: ['turn', 'trace'],
    integrity: ['turn', 'trace'],
    turn: ['turn', 'session'],
    consistency: ['session', 'mission'],
    mission: ['mission'],
    decomposition: ['trace'],
    'agent-output': ['trace'],
    synthesis: ['trace'],
  });
});

describe('each kind reads what arrives', () => {
  const written = turnOf(
    '{"input":"Write src/a.ts","output":"Done.","tools":[{"id":"c","name":"Write","arguments":{"file_path":"/home/u/p/src/a.ts","content":"x\\n"},"result":"ok"},{"id":"d","name":"Write","arguments":{"file_path":"/home/u/p/b.ts","content":"y\\n"},"result":"ok"}]}',
  );
  test.each<[string, string, Material, object]>([
    [
      'task',
      'a turn',
      { ...asked, settings: { criteria: ['exact'] } },
      {
        task_description: 'Be exact.\n\nHow full?',
        task_output: '91.4 %',
        success_criteria: [{ text: 'exact' }],
      },
    ],
    [
      'task',
      'a trace',
      graph,
      {
        task_description: graphQuestion,
        task_output: graphAnswer,
        shared_context: expect.stringContaining(
          '[tool] disk\ninput: {"host":"web-1"}\noutput: {"pct":91.4}',
        ),
      },
    ],
    [
      'code',
      'a turn',
      written,
      {
        request: 'Write src/a.ts',
        files: [
          { path: 'src/a.ts', content: 'x\n' },
          { path: 'b.ts', content: 'y\n' },
        ],
        run_tests: null,
      },
    ],
    [
      'code',
      'an answer',
      turnOf('{"input":"q","output":"a.py\\n```python\\nx = 1\\n```"}'),
      { files: [{ path: 'a.py', content: 'x = 1\n' }] },
    ],
    [
      'integrity',
      'a turn',
      asked,
      {
        output: '91.4 %',
        sources: [{ id: 'c', label: 'disk', format: 'json', text: '{"pct":91.40}' }],
        userText: ['How full?'],
      },
    ],
    [
      'integrity',
      'a trace',
      traceOf(handoffSketches, [asked, silent, handoffTurn]),
      { output: handoffAnswer, sources: [{ id: 'c' }, { id: 'r' }] },
    ],
    [
      'integrity',
      'a subject that was handed over',
      { ...asked, turns: [] },
      { output: '91.4 %', sources: [{ id: 'c', text: '{"pct":91.4}' }] },
    ],
    [
      'turn',
      'a turn',
      asked,
      {
        messages: [{ role: 'system' }, { role: 'user', content: 'How full?' }],
        completion: '91.4 %',
      },
    ],
    ['turn', 'a session', session, { completion: '92 %' }],
    [
      'consistency',
      'a session',
      session,
      {
        outputs: [
          { task_id: 'turn_1', output: '91.4 %' },
          { task_id: 'turn_2', output: '92 %' },
        ],
      },
    ],
    [
      'mission',
      'a mission',
      mission,
      {
        description: 'Watch the disks',
        tasks: [{ task_id: 'turn_1', output: '91.4 %' }, { task_id: 'turn_2' }],
      },
    ],
    [
      'decomposition',
      'LangGraph',
      graph,
      {
        query: graphQuestion,
        decomposition: {
          goal: graphPlan.goal,
          subgoals: [
            { id: 's1', agent: 'researcher' },
            { id: 's2', depends_on: ['s1'] },
          ],
        },
      },
    ],
    [
      'agent-output',
      'LangGraph',
      graph,
      {
        subgoal: { id: 's2', description: 'Read the disk of web-2' },
        output: 'web-2 is 40 % full.',
        agents_available: ['researcher', 'analyst'],
      },
    ],
    [
      'synthesis',
      'LangGraph',
      graph,
      {
        query: graphQuestion,
        answer: graphAnswer,
        agent_outputs: [
          { agent: 'researcher', summary: 'web-1 is 91.4 % full.' },
          { agent: 'analyst' },
        ],
      },
    ],
    [
      'agent-output',
      'OpenAI Agents',
      handoff,
      {
        subgoal: { description: handoffQuestion },
        output: handoffAnswer,
        agents_available: ['Refund Agent'],
      },
    ],
  ])('%s: %s', (kind, _, material, expected) => {
    expect(readSubject(getKind(kind), material)).toMatchObject({ subject: expected });
  });

  test('assay.subject.kind takes precedence over the names of a framework', () => {
    const marked = traceOf([
      { id: 1, name: 'root', kind: 'CHAIN', input: 'q', output: 'The answer is 4.' },
      {
        id: 2,
        parent: 1,
        name: 'split',
        kind: 'CHAIN',
        output: { steps: ['count'] },
        attributes: { 'assay.subject.kind': 'decomposition' },
      },
      {
        id: 3,
        parent: 1,
        name: 'w',
        kind: 'AGENT',
        output: { summary: 'It is 4', data: { n: 4 } },
        attributes: { 'assay.subject.kind': 'agent-output', 'agent.name': 'counter' },
      },
    ]);
    expect(readSubject(getKind('decomposition'), marked)).toMatchObject({
      subject: {
        query: 'q',
        decomposition: { subgoals: [{ id: 'step-1', description: 'count' }] },
      },
    });
    expect(readSubject(getKind('agent-output'), marked)).toMatchObject({
      subject: { output: { summary: 'It is 4', data: { n: 4 } } },
    });
    expect(readSubject(getKind('synthesis'), marked)).toMatchObject({
      subject: {
        answer: 'The answer is 4.',
        agent_outputs: [{ agent: 'counter', data: { n: 4 } }],
      },
    });
  });
});

describe('without data to read the reason names the missing part', () => {
  const empty: Material = {
    subject: EvaluationSubject.parse({ target: 'trace' }),
    turns: [],
    spans: [],
    settings: {},
  };
  test.each<[string, Material, string]>([
    ['task', empty, 'no_output'],
    ['code', silent, 'no_files'],
    ['integrity', silent, 'no_sources'],
    ['turn', turnOf('{"output":"a"}'), 'no_input'],
    [
      'consistency',
      { ...session, subject: fromSession({ id: 's', turns: manyTurns.slice(1) }) },
      'one_output',
    ],
    ['mission', { ...mission, subject: fromMission({ id: 'm', turns: [] }) }, 'no_tasks'],
    ['decomposition', handoff, 'no_plan'],
    ['agent-output', empty, 'no_agent_output'],
    ['synthesis', handoff, 'no_agent_outputs'],
    ['mission', asked, 'target'],
    [
      'code',
      turnOf(JSON.stringify({ input: 'q', output: 'a', files: [{ path: '../a', content: '' }] })),
      'not_readable',
    ],
  ])('%s', (kind, material, reason) => {
    expect(readSubject(getKind(kind), material)).toEqual({
      reason,
      message: expect.stringMatching(/\w{3}/),
    });
  });
});

test('rules may send a kind exactly the targets that it reads', () => {
  for (const { name, targets, readings } of kinds.values())
    expect([name, Object.keys(readings).toSorted()]).toEqual([name, targets.toSorted()]);
});
