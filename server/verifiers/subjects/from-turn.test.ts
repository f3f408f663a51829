import { describe, expect, test } from 'vitest';
import { EvaluationSubject } from '../../domain';
import { readTurn } from '../../ingest';
import { fromTurn, type ReadTurn } from './from-turn';
import { fromMission, fromSession } from './from-turns';

type Stored = Omit<Partial<ReadTurn>, 'content' | 'payload'>;

function subjectOf(payload: string, stored: Stored = {}) {
  return fromTurn({
    id: 'turn_1',
    sessionId: 's-1',
    traceId: null,
    source: 'shop',
    model: 'openai/gpt-4o',
    startedAt: new Date('2026-01-05T10:00:00.000Z'),
    endedAt: new Date('2026-01-05T10:00:00.812Z'),
    content: readTurn(payload),
    payload,
    ...stored,
  });
}

const asked = `{"id":"t","input":[{"role":"system","content":"Be exact."},{"role":"user","content":"How full?"},
  {"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"disk","arguments":"{}"}}]}],
  "tools":[{"id":"c1","name":"disk","arguments":{"host":"web-1"},"result":{"pct":91.40,"bytes":9007199254740993,"max":1e400}},
    {"name":"ping","arguments":"{\\"host\\":\\"web-1\\"}","error":"timed out","duration_ms":30000},
    {"name":"page","result":"down","is_error":true}],
  "context":[{"id":"p","content":{"title":"Disks"}},{"content":"plain"}],
  "output":"91.4 %","files":[{"path":"a.ts","content":"x"}],"reference":{"pct":91.4},
  "cost_usd":0.004,"tokens":{"input":12,"output":3},"tags":["prod"],
  "metadata":{"tier":"paid","assay":{"mission.id":"m-1"}}}`;

describe('a stored turn', () => {
  test('becomes a subject with all that was sent, digits exact', () => {
    const subject = subjectOf(asked);
    expect(subject).toEqual({
      target: 'turn',
      id: 'turn_1',
      input: {
        last_user: 'How full?',
        system: 'Be exact.',
        messages: [
          { role: 'system', content: 'Be exact.' },
          { role: 'user', content: 'How full?' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c1', function: { name: 'disk', arguments: '{}' } }],
          },
        ],
      },
      output: '91.4 %',
      tools: [
        {
          id: 'c1',
          name: 'disk',
          arguments: { host: 'web-1' },
          result: { pct: 91.4, bytes: '9007199254740993', max: '1e400' },
          error: null,
          started_at: null,
          duration_ms: null,
        },
        {
          id: 'tools[1]',
          name: 'ping',
          arguments: { host: 'web-1' },
          result: '',
          error: 'timed out',
          started_at: null,
          duration_ms: 30_000,
        },
        {
          id: 'tools[2]',
          name: 'page',
          arguments: {},
          result: 'down',
          error: 'down',
          started_at: null,
          duration_ms: null,
        },
      ],
      context: [
        { id: 'p', content: { title: 'Disks' } },
        { id: 'context[1]', content: 'plain' },
      ],
      files: [{ path: 'a.ts', content: 'x' }],
      reference: { pct: 91.4 },
      model: 'openai/gpt-4o',
      source: 'shop',
      session_id: 's-1',
      trace_id: null,
      mission_id: 'm-1',
      tags: ['prod'],
      metadata: { tier: 'paid', assay: { 'mission.id': 'm-1' } },
      cost_usd: 0.004,
      tokens: { input: 12, output: 3 },
      latency_ms: 812,
      steps: [],
      verdicts: {},
    });
    expect(EvaluationSubject.parse(subject)).toEqual(subject);
  });

  test('without the payload the members of the content are present, and the others missing', () => {
    const content = readTurn(asked);
    const subject = fromTurn({
      id: 'turn_1',
      sessionId: null,
      traceId: 'x',
      source: null,
      model: null,
      startedAt: null,
      endedAt: null,
      content,
      missionId: 'm-2',
      verdicts: {
        integrity: { outcome: 'passed', score: 1, verdict: 'sourced', verification_id: 'ver_1' },
      },
    });
    expect(subject).toMatchObject({
      input: { last_user: 'How full?', system: 'Be exact.' },
      mission_id: 'm-2',
      cost_usd: null,
      latency_ms: null,
      files: [],
      verdicts: { integrity: { outcome: 'passed' } },
    });
    expect(EvaluationSubject.parse(subject)).toEqual(subject);
  });

  test('a question that is one text, and an answer in an envelope', () => {
    const subject = subjectOf('{"input":"q","envelope":{"answer":"a","facts":[]}}');
    expect(subject).toMatchObject({ input: { last_user: 'q' }, output: 'a' });
  });

  test('an end before its start is no latency', () => {
    expect(
      subjectOf('{"output":"a"}', { endedAt: new Date('2026-01-05T09:00:00Z') }).latency_ms,
    ).toBeNull();
  });
});

describe('turns together', () => {
  const whole = [
    subjectOf('{"input":[{"role":"user","content":"a"}],"output":"b","cost_usd":0.1}'),
    subjectOf(
      '{"input":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],"output":"d","cost_usd":0.2,"tokens":{"input":5}}',
    ),
  ];
  const fresh = [
    subjectOf(
      '{"input":[{"role":"system","content":"s"},{"role":"user","content":"a"}],"output":"b"}',
    ),
    subjectOf(
      '{"input":[{"role":"system","content":"s"},{"role":"user","content":"c"}],"output":"d"}',
      { model: 'other' },
    ),
  ];

  test.each([
    ['sent whole', whole],
    ['sent as what is new', fresh],
  ])('a session is one conversation, however it was sent: %s', (_, turns) => {
    const session = fromSession({ id: 's-1', turns });
    const said = session.input.messages
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => [role, content]);
    expect(said).toEqual([
      ['user', 'a'],
      ['assistant', 'b'],
      ['user', 'c'],
    ]);
    expect(session).toMatchObject({
      target: 'session',
      id: 's-1',
      session_id: 's-1',
      output: 'd',
      input: { last_user: 'c' },
    });
    expect(session.turns).toEqual(turns);
    expect(EvaluationSubject.parse(session)).toEqual(session);
  });

  test('costs and tokens are sums; what differs from turn to turn is null', () => {
    expect(fromSession({ id: 's', turns: whole })).toMatchObject({
      cost_usd: 0.3,
      tokens: { input: 5, output: null },
      model: 'openai/gpt-4o',
    });
    expect(fromSession({ id: 's', turns: fresh }).model).toBeNull();
    expect(fromSession({ id: 's', turns: [] })).toMatchObject({
      output: null,
      turns: [],
      cost_usd: null,
    });
  });

  test('a mission has its goal and its turns', () => {
    const mission = fromMission({ id: 'm-1', turns: whole, description: 'Write a report' });
    expect(mission).toMatchObject({
      target: 'mission',
      mission_id: 'm-1',
      input: { last_user: 'Write a report' },
      output: 'd',
      session_id: 's-1',
    });
    expect(fromMission({ id: 'm-1', turns: whole }).input.last_user).toBe('a');
    expect(EvaluationSubject.parse(mission)).toEqual(mission);
  });
});
