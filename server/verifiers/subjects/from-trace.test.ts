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
} from '../../../testing/agent-traces';
import { EvaluationSubject, type SubjectOf } from '../../domain';
import { traceSpansOf } from '../../ingest/trace-spans-fixture';
import { decodeSegment, readTurn } from '../../ingest';
import { fromTrace, type TraceParts } from './from-trace';
import { fromTurn } from './from-turn';

const facts: Omit<TraceParts, 'spans' | 'turns'> = {
  id: '5b8aa5a2d2c872e8321cf37308d69df2',
  sessionId: 's-1',
  service: 'ops',
  startedAt: new Date('2026-01-05T10:00:00.100Z'),
  endedAt: new Date('2026-01-05T10:00:09.000Z'),
  inputTokens: 40,
  outputTokens: null,
  costUsd: null,
  tags: ['prod'],
};

const spansOf = (sketches: Parameters<typeof agentTraceJson>[0]) =>
  traceSpansOf(decodeSegment('json', agentTraceJson(sketches)));

function turnOf(payload: string): SubjectOf<'turn'> {
  return fromTurn({
    id: 'turn_1',
    sessionId: 's-1',
    traceId: facts.id,
    source: 'ops',
    model: 'openai/gpt-4o',
    startedAt: null,
    endedAt: null,
    content: readTurn(payload),
    payload,
  });
}

describe('LangGraph by OpenInference', () => {
  const trace = fromTrace({ ...facts, spans: spansOf(graphSketches), turns: [] });

  test('input and output are those of the root', () => {
    expect(trace).toMatchObject({
      target: 'trace',
      trace_id: facts.id,
      session_id: 's-1',
      source: 'ops',
      input: { last_user: graphQuestion },
      output: graphAnswer,
      tokens: { input: 40, output: null },
      latency_ms: 8_900,
      tags: ['prod'],
    });
    expect(EvaluationSubject.parse(trace)).toEqual(trace);
  });

  test('steps are in order, and empty spans are left out', () => {
    expect(trace.steps.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'chain LangGraph',
      'chain planner',
      'llm ChatOpenAI',
      'chain researcher',
      'tool disk',
      'chain analyst',
      'tool disk',
      'chain synthesizer',
    ]);
    expect(trace.steps[1]).toMatchObject({ input: graphQuestion, output: { plan: graphPlan } });
    expect(trace.steps[2]).toMatchObject({
      input: graphQuestion,
      output: JSON.stringify(graphPlan),
    });
    expect(trace.steps[4]).toEqual({
      kind: 'tool',
      name: 'disk',
      input: { host: 'web-1' },
      output: { pct: 91.4 },
      error: null,
    });
    expect(trace.steps[6]).toMatchObject({ output: null, error: 'connection refused' });
  });

  test('calls of tools are there once, with times and errors, also where a turn has them', () => {
    const turn = turnOf(
      '{"output":"a","tools":[{"id":"call_disk_1","name":"disk","arguments":{"host":"web-1"},"result":{"pct":91.4}},{"id":"x","name":"ping"}],"context":[{"id":"p","content":"c"}],"metadata":{"tier":"paid"},"cost_usd":0.5}',
    );
    const both = fromTrace({ ...facts, spans: spansOf(graphSketches), turns: [turn] });
    expect(both.tools).toMatchObject([
      {
        id: 'call_disk_1',
        name: 'disk',
        arguments: { host: 'web-1' },
        result: { pct: 91.4 },
        error: null,
        duration_ms: 90,
      },
      { name: 'disk', arguments: { host: 'web-2' }, result: null, error: 'connection refused' },
      { id: 'x', name: 'ping' },
    ]);
    expect(both).toMatchObject({
      context: [{ id: 'p', content: 'c' }],
      metadata: { tier: 'paid' },
      cost_usd: 0.5,
      model: 'openai/gpt-4o',
    });
  });
});

describe('the OpenAI Agents SDK by OpenInference', () => {
  const turn = turnOf(
    JSON.stringify({ input: [{ role: 'user', content: handoffQuestion }], output: handoffAnswer }),
  );
  const trace = fromTrace({ ...facts, spans: spansOf(handoffSketches), turns: [turn] });

  test("a root without content has the first turn's input and the last turn's output", () => {
    expect(trace).toMatchObject({ input: { last_user: handoffQuestion }, output: handoffAnswer });
  });

  test('steps are models and tools, the hand-off among them', () => {
    expect(trace.steps).toEqual([
      {
        kind: 'llm',
        name: 'response',
        input: handoffQuestion,
        output: {
          tool_calls: [
            {
              id: 'call_transfer_to_refund_agent',
              name: 'transfer_to_refund_agent',
              arguments: { order_id: 'A-17' },
            },
          ],
        },
        error: null,
      },
      { kind: 'tool', name: 'handoff to Refund Agent', input: null, output: null, error: null },
      {
        kind: 'llm',
        name: 'response',
        input: handoffQuestion,
        output: {
          tool_calls: [{ id: 'call_refund', name: 'refund', arguments: { order_id: 'A-17' } }],
        },
        error: null,
      },
      {
        kind: 'tool',
        name: 'refund',
        input: { order_id: 'A-17' },
        output: { amount: 30 },
        error: null,
      },
      {
        kind: 'llm',
        name: 'response',
        input: [
          {
            role: 'tool',
            tool_call_id: 'call_refund',
            name: 'refund',
            content: { amount: 30 },
          },
        ],
        output: handoffAnswer,
        error: null,
      },
    ]);
  });
});

test('turns that were sent on their own and name a trace are its steps', () => {
  const turn = turnOf(
    '{"input":"q","output":"a","tools":[{"id":"c","name":"disk","arguments":{},"result":4}]}',
  );
  expect(fromTrace({ ...facts, spans: [], turns: [turn] })).toMatchObject({
    input: { last_user: 'q' },
    output: 'a',
    steps: [
      { kind: 'tool', name: 'disk', output: 4 },
      { kind: 'llm', name: 'openai/gpt-4o', input: 'q', output: 'a' },
    ],
  });
});

test('a trace of nothing has nothing', () => {
  expect(fromTrace({ ...facts, spans: [], turns: [] })).toMatchObject({
    output: null,
    steps: [],
    input: { last_user: null },
  });
});
