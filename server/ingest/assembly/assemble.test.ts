import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../testing/case-count';
import { processorMsSince } from '../../../testing/processor-time';
import { assembleTrace } from './assemble';
import type { AssembledTrace } from './assembled';
import { mergeSpans } from './merge-spans';
import { prepareTurn } from '../intake/prepare';
import { readTurn } from '../read/read';
import type { AttributeValue, Span } from '../span';
import {
  attributesOf,
  fixtureTraceId,
  type Plain,
  sketchSpan,
  spanId,
  type SpanSketch,
} from '../span-fixture';

type Extra = Omit<SpanSketch, 'id' | 'attributes'> & {
  readonly attributes?: Record<string, Plain>;
};
interface Turn {
  readonly id: string;
  readonly output?: string;
  readonly envelope?: unknown;
  readonly input?: unknown;
  readonly session_id?: string;
  readonly model?: string;
  readonly tools: readonly {
    id?: string;
    name?: string;
    arguments?: unknown;
    result?: unknown;
    error?: string;
  }[];
  readonly context: readonly { id?: string; content: unknown }[];
  readonly tokens?: unknown;
  readonly cost_usd?: number;
  readonly [member: string]: unknown;
}

function assemble(
  ...sketches: readonly SpanSketch[]
): AssembledTrace & { readonly wire: readonly Turn[] } {
  const trace = assembleTrace(mergeSpans(sketches.map(sketchSpan)).spans);
  return { ...trace, wire: trace.turns.map(({ payload }) => JSON.parse(payload) as Turn) };
}

function part(type: string, members: Record<string, Plain> = {}): Record<string, Plain> {
  return { type, ...members };
}

const user = (text: string): Plain => ({ role: 'user', parts: [part('text', { content: text })] });
const replied = (text: string): Plain => ({
  role: 'assistant',
  parts: [part('text', { content: text })],
});
const calls = (id: string, name: string, args: Plain = {}): Plain => ({
  role: 'assistant',
  parts: [part('tool_call', { id, name, arguments: args })],
});
const result = (id: string, value: Plain): Plain => ({
  role: 'tool',
  parts: [part('tool_call_response', { id, response: value })],
});

function chat(id: number, input: readonly Plain[], output: Plain, extra: Extra = {}): SpanSketch {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': input,
    'gen_ai.output.messages': [output],
    ...extra.attributes,
  };
  return { id, name: `chat ${id}`, ...extra, attributes };
}

function tool(id: number, name: string, value: string | null, extra: Extra = {}): SpanSketch {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.result': value,
    ...extra.attributes,
  };
  return { id, name: `execute_tool ${name}`, ...extra, attributes };
}

function agent(id: number, to: number, extra: Extra = {}): SpanSketch {
  return {
    id,
    name: 'agent',
    from: 0,
    to,
    ...extra,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'ops',
      ...extra.attributes,
    },
  };
}

function results(turn: Turn | undefined): unknown[] {
  return (turn?.tools ?? []).map((each) => each.result);
}

describe('spans that become turns', () => {
  test('a model span with text is one turn; one that only calls tools is a step of it', () => {
    const { wire, turns } = assemble(
      agent(1, 1000),
      chat(2, [user('q')], calls('c1', 'disk', { host: 'web-1' }), { parent: 1 }),
      tool(3, 'disk', '{"pct":91.40}', { parent: 1, attributes: { 'gen_ai.tool.call.id': 'c1' } }),
      chat(
        4,
        [user('q'), calls('c1', 'disk', { host: 'web-1' }), result('c1', '{"pct":91.40}')],
        replied('91.4 %'),
        { parent: 1 },
      ),
    );
    expect(wire).toHaveLength(1);
    expect(wire[0]).toMatchObject({
      id: `${fixtureTraceId}-${spanId(4)}`,
      trace_id: fixtureTraceId,
      source: 'shop',
      output: '91.4 %',
    });
    expect(wire[0]?.tools).toEqual([
      { id: 'c1', name: 'disk', arguments: { host: 'web-1' }, result: { pct: 91.4 } },
    ]);
    expect(turns[0]?.payload).toContain('"result":{"pct":91.40}');
    expect(wire[0]).toMatchObject({
      started_at: '2026-01-05T10:00:00.200Z',
      ended_at: '2026-01-05T10:00:00.410Z',
    });
  });

  test('text next to a tool call is not an answer yet', () => {
    const thinking = {
      role: 'assistant',
      parts: [
        part('text', { content: 'Let me look.' }),
        part('tool_call', { id: 'c1', name: 'disk' }),
      ],
    };
    expect(assemble(chat(1, [user('q')], thinking)).turns).toEqual([]);
    const reason = { 'gen_ai.response.finish_reasons': ['tool_calls'] };
    expect(
      assemble(chat(1, [user('q')], replied('Let me look.'), { attributes: reason })).turns,
    ).toEqual([]);
  });

  test("a wrapper that repeats its model's text is not a second turn, and its tokens count once", () => {
    const usage = { 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 2 };
    const wrapped = assemble(
      {
        id: 1,
        attributes: {
          'openinference.span.kind': 'CHAIN',
          'input.value': 'q',
          'output.value': 'yes',
        },
        from: 0,
        to: 900,
      },
      chat(2, [user('q')], replied('yes'), { parent: 1, from: 10, to: 800, attributes: usage }),
      chat(3, [user('q')], replied('yes'), { parent: 2, from: 20, to: 700, attributes: usage }),
    );
    expect(wrapped.turns.map((turn) => turn.spanId)).toEqual([spanId(3)]);
    expect(wrapped).toMatchObject({ usage: { inputTokens: 7, outputTokens: 2 }, notes: [] });
    expect(wrapped.wire[0]?.tokens).toEqual({ input: 7, output: 2 });
  });

  test.each<[string, Record<string, Plain>]>([
    [
      'OpenInference chain',
      { 'openinference.span.kind': 'CHAIN', 'input.value': 'q', 'output.value': 'It is 4.' },
    ],
    [
      'OpenInference agent, JSON output',
      {
        'openinference.span.kind': 'AGENT',
        'input.value': '{"input":"q"}',
        'output.value': '{"output":"It is 4."}',
      },
    ],
    ['Langfuse trace', { 'langfuse.trace.input': 'q', 'langfuse.trace.output': 'It is 4.' }],
    [
      'Traceloop workflow',
      {
        'traceloop.span.kind': 'workflow',
        'traceloop.entity.input': '{"args":["q"]}',
        'traceloop.entity.output': '"It is 4."',
      },
    ],
    [
      'LangGraph state',
      {
        'openinference.span.kind': 'CHAIN',
        'input.value': '{"messages":[{"type":"human","content":"q"}]}',
        'output.value':
          '{"messages":[{"type":"human","content":"q"},{"type":"ai","content":"It is 4."}]}',
      },
    ], // prettier-ignore
  ])('where only wrappers keep content, the outermost one is the turn: %s', (_, attributes) => {
    const trace = assemble(
      { id: 1, attributes, from: 0, to: 900 },
      {
        id: 2,
        parent: 1,
        attributes: {
          'openinference.span.kind': 'CHAIN',
          'input.value': 'q',
          'output.value': 'It is 4.',
        },
        from: 5,
        to: 890,
      },
      tool(3, 'count', '{"n":4}', { parent: 2 }),
      {
        id: 4,
        parent: 2,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.provider.name': 'openai',
        },
      },
    );
    expect(trace.turns.map((turn) => turn.spanId)).toEqual([spanId(1)]);
    expect(trace.wire[0]).toMatchObject({ output: 'It is 4.', model: 'openai/gpt-4o' });
    expect(results(trace.wire[0])).toEqual([{ n: 4 }]);
    expect(trace.notes).toEqual([]);
  });

  test('a wrapper is not a turn where any model span of the trace has text', () => {
    const prompt = {
      'openinference.span.kind': 'CHAIN',
      'input.value': 'q',
      'output.value': 'You are asked: q',
    };
    expect(
      assemble({ id: 1, attributes: prompt }, chat(2, [user('q')], replied('yes'))).turns.map(
        (turn) => turn.spanId,
      ),
    ).toEqual([spanId(2)]);
  });

  test('a wrapper is not a turn while its model has only asked for tools', () => {
    const node = {
      'openinference.span.kind': 'CHAIN',
      'input.value': 'q',
      'output.value': '{"messages":[{"type":"ai","content":"","tool_calls":[]}]}',
    };
    expect(
      assemble(
        { id: 1, attributes: node },
        chat(2, [user('q')], calls('c1', 'count'), { parent: 1 }),
      ).turns,
    ).toEqual([]);
    const reply =
      '{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","function":{"name":"count","arguments":"{}"}}]}}]}';
    expect(
      assemble({
        id: 1,
        attributes: { 'openinference.span.kind': 'LLM', 'input.value': 'q', 'output.value': reply },
      }).turns,
    ).toEqual([]);
  });

  test("a judge's answer to an evaluator is not a turn", () => {
    const { turns } = assemble(
      { id: 1, attributes: { 'openinference.span.kind': 'EVALUATOR' } },
      chat(2, [user('good?')], replied('0.9'), { parent: 1 }),
    );
    expect(turns).toEqual([]);
  });

  test('INT-3 an envelope is found in the text and in the arguments of the tool made for it', () => {
    const envelope = '{"answer":"It is 4.","facts":[{"value":4,"source_id":"c1","path":"n"}]}';
    expect(assemble(chat(1, [user('q')], replied(envelope))).wire[0]).toMatchObject({
      output: envelope,
      envelope,
    });
    const forced = {
      role: 'assistant',
      parts: [part('tool_call', { id: 'x', name: 'respond', arguments: envelope })],
    };
    const [turn] = assemble(chat(1, [user('q')], forced)).wire;
    expect(turn).toMatchObject({ envelope });
    expect(turn?.output).toBeUndefined();
    expect(
      assemble(chat(1, [user('q')], replied('{"answer":1}'))).wire[0]?.envelope,
    ).toBeUndefined();
  });
});

describe('INT-2 a turn has only its own sources', () => {
  const first = [user('q1')];
  const chatThen = [
    user('q1'),
    calls('c1', 'count'),
    result('c1', { n: 1 }),
    replied('It is 1.'),
    user('q2'),
  ];

  test('results before the user’s last words are not sources, in messages and in spans', () => {
    const { wire } = assemble(
      chat(1, first, calls('c1', 'count')),
      tool(2, 'count', '{"n":1}', { attributes: { 'gen_ai.tool.call.id': 'c1' } }),
      chat(3, [...first, calls('c1', 'count'), result('c1', { n: 1 })], replied('It is 1.')),
      chat(4, chatThen, calls('c2', 'count')),
      tool(5, 'count', '{"n":2}', { attributes: { 'gen_ai.tool.call.id': 'c2' } }),
      chat(6, [...chatThen, calls('c2', 'count'), result('c2', { n: 2 })], replied('It is 2.')),
    );
    expect(wire.map(results)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    expect(wire[1]?.input).toHaveLength(7);
  });

  test('models that restart call numbering at each step lose no result', () => {
    const input = [
      user('q'),
      calls('0', 'count', { of: 'a' }),
      result('0', { n: 1 }),
      calls('0', 'count', { of: 'b' }),
      result('0', { n: 2 }),
    ];
    const { wire } = assemble(
      tool(1, 'count', '{"n":1}', { attributes: { 'gen_ai.tool.call.id': '0' } }),
      tool(2, 'count', '{"n":2}', { attributes: { 'gen_ai.tool.call.id': '0' } }),
      chat(3, input, replied('1 and 2')),
    );
    expect(wire[0]?.tools.map((each) => [each.arguments, each.result])).toEqual([
      [{ of: 'a' }, { n: 1 }],
      [{ of: 'b' }, { n: 2 }],
    ]);
  });

  test('a tool span without a call id matches the call of equal name, arguments and result', () => {
    const input = [user('q'), calls('c1', 'count', { of: 'a' }), result('c1', '{"n": 1}')];
    const { wire } = assemble(
      tool(1, 'count', '{"n":1}', { attributes: { 'gen_ai.tool.call.arguments': '{"of":"a"}' } }),
      tool(2, 'count', '{"n":1}', { attributes: { 'gen_ai.tool.call.arguments': '{"of":"z"}' } }),
      chat(3, input, replied('1')),
    );
    expect(wire[0]?.tools.map(({ id }) => id)).toEqual(['c1', spanId(2)]);
  });

  test('parallel agents keep their own sources, and an agent used as a tool gives its caller only its result', () => {
    const { wire } = assemble(
      agent(1, 2000),
      chat(2, [user('q')], calls('c1', 'research'), { parent: 1, from: 10 }),
      tool(3, 'research', '"7 found"', {
        parent: 1,
        from: 30,
        to: 500,
        attributes: { 'gen_ai.tool.call.id': 'c1' },
      }),
      agent(4, 480, { parent: 3, from: 40 }),
      tool(5, 'search', '[1,2,3]', { parent: 4, from: 50, to: 100 }),
      chat(6, [user('find')], replied('I found 7.'), { parent: 4, from: 200, to: 450 }),
      tool(7, 'clock', '"12:00"', { parent: 1, from: 60, to: 90 }),
      chat(
        8,
        [user('q'), calls('c1', 'research'), result('c1', '7 found')],
        replied('There are 7.'),
        { parent: 1, from: 600 },
      ),
    );
    expect(wire.map(({ output }) => output)).toEqual(['I found 7.', 'There are 7.']);
    expect(wire.map(results)).toEqual([[[1, 2, 3]], ['7 found', '12:00']]);
  });

  test.each([
    ['known, hides', '"7 found"', ['7 found']],
    ['not sent, hides nothing of', null, [undefined, [1, 2, 3]]],
  ])(
    'the model never saw the work inside a tool: a result that is %s its inside',
    (_, outcome, expected) => {
      const { wire } = assemble(
        tool(1, 'research', outcome, { from: 0, to: 500 }),
        tool(2, 'search', '[1,2,3]', { parent: 1 }),
        chat(6, [user('q')], replied('7')),
      );
      expect(wire.map(results)).toEqual([expected]);
    },
  );

  test('nodes of a graph share the agent that encloses them', () => {
    const chain = { 'openinference.span.kind': 'CHAIN' };
    const { wire } = assemble(
      { id: 1, attributes: chain, from: 0, to: 900 },
      { id: 2, parent: 1, attributes: chain, from: 10, to: 50 },
      chat(3, [user('q')], calls('c1', 'count'), { parent: 2, from: 11, to: 40 }),
      { id: 4, parent: 1, attributes: chain, from: 60, to: 90 },
      tool(5, 'count', '{"n":4}', { parent: 4, from: 61, to: 80 }),
      { id: 6, parent: 1, attributes: chain, from: 100, to: 200 },
      chat(7, [], replied('4'), { parent: 6, from: 110, to: 190 }),
    );
    expect(wire.map(results)).toEqual([[{ n: 4 }]]);
  });

  test('results after the answer are not its sources', () => {
    const { wire } = assemble(chat(1, [user('q')], replied('4')), tool(2, 'count', '{"n":4}'));
    expect(wire.map(results)).toEqual([[]]);
  });

  test('retrieved documents are context, each listed once', () => {
    const documents = JSON.stringify([
      { id: 'd1', content: 'There are 4.' },
      { id: 'd2', content: '{"n":4.0}' },
    ]); // prettier-ignore
    const retrieval = {
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.retrieval.documents': documents,
    };
    const { wire, turns } = assemble(
      { id: 1, attributes: retrieval },
      { id: 2, attributes: retrieval },
      chat(3, [user('q')], replied('4')),
    );
    expect(wire[0]?.context).toEqual([
      { id: 'd1', content: 'There are 4.' },
      { id: 'd2', content: { n: 4 } },
    ]);
    expect(turns[0]?.payload).toContain('{"n":4.0}');
  });

  test('results of the provider’s own tools within the reply are sources', () => {
    const reply = {
      role: 'assistant',
      parts: [
        part('server_tool_call', { id: 's1', name: 'web_search', arguments: { q: 'x' } }),
        part('server_tool_call_response', { id: 's1', response: { hits: 4 } }),
        part('text', { content: '4 hits' }),
      ],
    };
    expect(assemble(chat(1, [user('q')], reply)).wire[0]?.tools).toEqual([
      { id: 's1', name: 'web_search', arguments: { q: 'x' }, result: { hits: 4 } },
    ]);
  });

  test('a failed tool reports its error and gives no result; a result that was not sent is noted', () => {
    const trace = assemble(
      tool(1, 'disk', null, { error: 'no such host' }),
      tool(2, 'cpu', null),
      chat(3, [user('q')], replied('I do not know.')),
    );
    expect(trace.wire[0]?.tools).toMatchObject([
      { name: 'disk', error: 'no such host' },
      { name: 'cpu' },
    ]);
    expect(results(trace.wire[0])).toEqual([undefined, undefined]);
    expect(trace).toMatchObject({
      errors: 1,
      notes: [
        { spanId: spanId(2), reason: 'the result of the tool cpu did not come with its span' },
      ],
    });
  });
});

describe('R-76 spans in any order, and a root that never arrives', () => {
  const root = agent(9, 900, { parent: 99, attributes: { 'gen_ai.agent.name': null } });
  const inner = [
    chat(2, [user('q')], calls('c1', 'count'), { parent: 9 }),
    tool(3, 'count', '{"n":4}', { parent: 9 }),
    chat(4, [user('q')], replied('4'), { parent: 9 }),
  ];

  test('children first, root last or never: the same turns, byte for byte', () => {
    const whole = assemble(root, ...inner);
    expect(results(whole.wire[0])).toEqual([{ n: 4 }]);
    expect(assemble(...inner, root).turns).toEqual(whole.turns);
    expect(assemble(...inner).turns).toEqual(whole.turns);
    expect(assemble(...inner)).toMatchObject({ hasRoot: false, name: 'chat 2' });
  });

  test('two wrappers that never arrive keep their sources separate', () => {
    const { wire } = assemble(
      tool(1, 'count', '{"n":1}', { parent: 50, from: 0, to: 10 }),
      chat(2, [user('q')], replied('1'), { parent: 50, from: 20, to: 90 }),
      tool(3, 'count', '{"n":2}', { parent: 60, from: 5, to: 15 }),
      chat(4, [user('q')], replied('2'), { parent: 60, from: 25, to: 95 }),
    );
    expect(wire.map(results)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  });

  test('cycles of parents do not stop assembly', () => {
    const { wire } = assemble(
      { id: 1, parent: 2 },
      { id: 2, parent: 1 },
      chat(3, [user('q')], replied('1'), { parent: 2 }),
      {
        id: 4,
        parent: 4,
      },
    );
    expect(wire).toHaveLength(1);
  });
});

describe('missing content is reported', () => {
  test.each([
    [
      'otel',
      { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' },
      'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT',
    ],
    [
      'openinference',
      { 'openinference.span.kind': 'LLM', 'output.value': '__REDACTED__' },
      'OPENINFERENCE_HIDE_OUTPUTS',
    ],
    ['ai sdk', { 'ai.operationId': 'ai.generateText.doGenerate' }, 'recordOutputs'],
    [
      'traceloop',
      { 'llm.request.type': 'chat', 'gen_ai.system': 'OpenAI', 'gen_ai.request.model': 'm' },
      'TRACELOOP_TRACE_CONTENT',
    ],
    ['langfuse', { 'langfuse.observation.type': 'generation' }, 'Langfuse'],
  ])('content capture is off: %s', (_, attributes, words) => {
    const trace = assemble({ id: 1, attributes });
    expect(trace.turns).toEqual([]);
    expect(trace.notes).toEqual([
      { spanId: spanId(1), reason: expect.stringContaining(words) as string },
    ]);
  });

  test('a call that failed', () => {
    const trace = assemble({
      id: 1,
      attributes: { 'gen_ai.operation.name': 'chat' },
      error: 'rate limited',
    });
    expect(trace).toMatchObject({
      turns: [],
      errors: 1,
      notes: [{ reason: 'the call failed: rate limited' }],
    });
  });

  test('ids, names and tags beyond the limits of a turn are truncated and noted', () => {
    const long = 'x'.repeat(300);
    const attributes = {
      'gen_ai.conversation.id': long,
      'langfuse.trace.tags': Array.from({ length: 120 }, (_, i) => `tag ${i}`),
    };
    const trace = assemble(
      tool(1, 'count', '1', { attributes: { 'gen_ai.tool.call.id': long } }),
      chat(2, [user('q')], replied('1'), { attributes }),
    );
    const bounded = expect.stringMatching(/^x{183}~[0-9a-f]{16}$/) as string;
    expect(trace.wire[0]).toMatchObject({ session_id: bounded, tools: [{ id: bounded }] });
    expect(trace.sessionId).toBe(trace.wire[0]?.session_id);
    expect(trace.wire[0]?.tags).toHaveLength(100);
    expect(trace.notes.map(({ reason }) => reason)).toEqual([
      'a session id of 300 characters was cut to 200',
      'a tool call id of 300 characters was cut to 200',
      '120 tags: the first 100 are kept',
    ]);
  });
});

test('session, user, tags and assay.* of the wrapper apply to the turn', () => {
  const attributes = {
    'session.id': 's-1',
    'user.id': 'u',
    'assay.mission.id': 'm-1',
    'assay.subject.kind': 'turn',
    'tag.tags': ['t'],
    'openinference.span.kind': 'AGENT',
    metadata: '{"big":12345678901234567890}',
  }; // prettier-ignore
  const { wire, turns } = assemble(
    { id: 1, attributes },
    chat(2, [user('q')], replied('1'), { parent: 1 }),
  );
  expect(wire[0]).toMatchObject({
    session_id: 's-1',
    tags: ['t'],
    metadata: {
      assay: { 'mission.id': 'm-1', 'subject.kind': 'turn' },
      span: { name: 'chat 2', convention: 'otel', user_id: 'u' },
    },
  });
  expect(turns[0]?.payload).toContain('"big":12345678901234567890');
});

test('a trace sums its model spans and only those', () => {
  const usage = (input: number, output: number): Extra => ({
    parent: 1,
    attributes: {
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': output,
      'gen_ai.request.model': 'gpt-4o',
      'llm.cost.total': 0.1,
    },
  });
  const trace = assemble(
    agent(1, 2000, { attributes: { 'gen_ai.usage.input_tokens': 999 }, name: 'request' }),
    chat(2, [user('q')], calls('c1', 'count'), usage(10, 1)),
    chat(3, [user('q')], replied('1'), usage(20, 2)),
    chat(4, [user('q2')], replied('2'), usage(40, 4)),
  );
  expect(trace).toMatchObject({
    name: 'request',
    service: 'shop',
    spans: 4,
    usage: { inputTokens: 70, outputTokens: 7 },
    hasRoot: true,
    models: ['gpt-4o'],
  });
  expect(trace.wire.map(({ tokens }) => tokens)).toEqual([
    { input: 30, output: 3 },
    { input: 40, output: 4 },
  ]); // prettier-ignore
  expect(trace).toMatchObject({
    startedAt: '2026-01-05T10:00:00.000Z',
    endedAt: '2026-01-05T10:00:02.000Z',
  });
});

test('gen_ai.evaluation.result becomes a foreign score of its turn', () => {
  const event = (attributes: Record<string, Plain>) => ({
    name: 'gen_ai.evaluation.result',
    at: 700,
    attributes,
  });
  const trace = assemble(
    agent(1, 900),
    chat(2, [user('q')], replied('1'), {
      parent: 1,
      attributes: { 'gen_ai.response.id': 'r-2' },
      events: [
        event({
          'gen_ai.evaluation.name': 'relevance',
          'gen_ai.evaluation.score.value': 0.8,
          'gen_ai.evaluation.score.label': 'good',
          'gen_ai.evaluation.explanation': 'fits',
        }),
      ], // prettier-ignore
    }),
    chat(3, [user('q')], replied('2'), { parent: 1, attributes: { 'gen_ai.response.id': 'r-3' } }),
    {
      id: 4,
      events: [
        event({
          'gen_ai.evaluation.name': 'a',
          'gen_ai.response.id': 'r-3',
          'gen_ai.evaluation.score.value': 'NaN',
        }),
      ],
    },
    { id: 5, parent: 1, attributes: { 'gen_ai.evaluation.name': 'b' } },
    { id: 6, events: [event({ 'gen_ai.evaluation.score.value': 1 })] },
  );
  const [turn2, turn3] = trace.wire.map(({ id }) => id);
  expect(trace.evaluations).toMatchObject([
    {
      name: 'relevance',
      value: 0.8,
      label: 'good',
      explanation: 'fits',
      turnId: turn2,
      at: '2026-01-05T10:00:00.700Z',
    },
    { name: 'a', value: null, turnId: turn3 },
    { name: 'b', turnId: null },
  ]);
  expect(trace.notes).toEqual([
    { spanId: spanId(6), reason: '1 evaluations without gen_ai.evaluation.name were left out' },
  ]);
});

describe('arbitrary spans', () => {
  const words = [
    'user',
    'tool',
    'assistant',
    '',
    'x'.repeat(400),
    '\ud800',
    '\u0000',
    '__proto__',
    '{"a":1e400}',
    '"\\ud800"',
    '[',
    '1',
    'stop',
    'tool_calls',
  ]; // prettier-ignore
  const leaf = fc.oneof(
    fc.constantFrom<AttributeValue>(
      ...words,
      null,
      true,
      { raw: 'NaN' },
      { raw: '1e400' },
      { raw: '-1' },
      { raw: '2.5' },
      { bytes: 'AA==' },
    ),
    fc.string(),
  );
  const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(
          fc.tuple(
            fc.constantFrom(
              'role',
              'content',
              'parts',
              'type',
              'text',
              'id',
              'name',
              'arguments',
              'result',
              'tool_calls',
              'messages',
              '__proto__',
            ),
            tie('value'),
          ),
          { maxLength: 5 },
        )
        .map((members): AttributeValue => new Map(members)),
    ),
  }));
  const keys = [
    'gen_ai.operation.name',
    'gen_ai.input.messages',
    'gen_ai.output.messages',
    'gen_ai.system_instructions',
    'gen_ai.tool.call.result',
    'gen_ai.tool.call.id',
    'gen_ai.tool.name',
    'gen_ai.response.finish_reasons',
    'gen_ai.usage.input_tokens',
    'gen_ai.retrieval.documents',
    'gen_ai.conversation.id',
    'gen_ai.request.model',
    'gen_ai.prompt.0.content',
    'gen_ai.completion.0.content',
    'gen_ai.completion.0.tool_calls.0.name',
    'openinference.span.kind',
    'input.value',
    'output.value',
    'metadata',
    'tag.tags',
    'llm.cost.total',
    'ai.operationId',
    'ai.prompt',
    'ai.prompt.messages',
    'ai.response.text',
    'ai.response.toolCalls',
    'ai.toolCall.result',
    'langfuse.observation.type',
    'langfuse.observation.output',
    'langfuse.trace.metadata.__proto__',
    'langfuse.observation.cost_details',
    'traceloop.entity.output',
    'assay.session.id',
    'assay.__proto__',
    'gen_ai.evaluation.name',
    '__proto__',
  ]; // prettier-ignore
  const roles = [
    'chat',
    'execute_tool',
    'invoke_agent',
    'LLM',
    'CHAIN',
    'TOOL',
    'generation',
    'retriever',
    'ai.generateText.doGenerate',
    'ai.toolCall',
  ];
  const attribute = fc.oneof(
    fc.tuple(fc.constantFrom(...keys), value),
    fc.tuple(
      fc.constantFrom(
        'gen_ai.operation.name',
        'openinference.span.kind',
        'langfuse.observation.type',
        'ai.operationId',
      ),
      fc.constantFrom<AttributeValue>(...roles),
    ),
    fc.tuple(
      fc.constantFrom('gen_ai.output.messages', 'gen_ai.input.messages'),
      fc.constantFrom<AttributeValue>(...['a', 'b'].map((text) => JSON.stringify([replied(text)]))),
    ),
  ); // prettier-ignore
  const time = fc.constantFrom(
    '0',
    '1',
    '1767607200000000000',
    '99999999999999999999',
    '18446744073709551615',
  );
  const anySpan = fc
    .record({
      id: fc.nat({ max: 8 }),
      parent: fc.option(fc.nat({ max: 9 })),
      startNs: time,
      endNs: time,
      code: fc.nat({ max: 2 }),
      attributes: fc.array(attribute, { maxLength: 9 }),
    })
    .map(({ id, parent, startNs, endNs, code, attributes }): Span => {
      const span = sketchSpan({ id: id + 1, name: words[id] ?? '' });
      return {
        ...span,
        parentSpanId: parent === null ? null : spanId(parent),
        startNs,
        endNs,
        status: { code, message: '' },
        attributes: new Map(attributes),
      };
    });
  const seed = Number(process.env.ASSAY_SEED ?? Math.floor(Math.random() * 0x7fff_ffff));

  test('intake accepts every payload and reads it back', () => {
    process.stdout.write(`assemble: seed ${seed}\n`);
    let made = 0;
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 8 }), (spans) => {
        const trace = assembleTrace(mergeSpans(spans).spans);
        for (const { payload } of trace.turns) {
          made++;
          const prepared = prepareTurn(Buffer.from(payload), true, {
            now: new Date(0),
            idSeed: null,
          });
          readTurn(prepared.payload);
        }
        for (const amount of [
          trace.usage.inputTokens,
          trace.usage.outputTokens,
          trace.usage.sentCostUsd,
        ])
          expect(amount === null || Number.isFinite(amount)).toBe(true);
        expect(
          isDeepStrictEqual(assembleTrace(mergeSpans([...spans].reverse()).spans), trace),
        ).toBe(true);
      }),
      { numRuns: caseCount(1000), seed },
    );
    expect(made).toBeGreaterThan(caseCount(1000) / 2);
    expect(({} as { isPublic?: boolean }).isPublic).toBeUndefined();
  }, 60_000);

  test('R-90 values as deep as intake accepts stay within the depth of a turn', () => {
    let deep: AttributeValue = 'x';
    for (let depth = 0; depth < 63; depth++)
      deep = depth % 2 === 0 ? [deep] : new Map([['a', deep]]);
    const attributes = new Map([
      ...attributesOf({
        'gen_ai.operation.name': 'chat',
        'gen_ai.output.messages': [replied('1')],
      }),
      ['langfuse.trace.metadata.deep', deep],
      ['langfuse.observation.input', deep],
    ]); // prettier-ignore
    const results = new Map([
      ...attributesOf({ 'gen_ai.tool.name': 'deep' }),
      ['gen_ai.tool.call.result', deep],
    ]);
    const spans = [
      { ...sketchSpan({ id: 1 }), attributes: results },
      { ...sketchSpan({ id: 2 }), attributes },
    ];
    const [turn] = assembleTrace(mergeSpans(spans).spans).turns;
    expect(
      prepareTurn(Buffer.from(turn?.payload ?? ''), true, { now: new Date(0), idSeed: null }).id,
    ).toContain(spanId(2));
  });
});

const [manySpans, boundMs] = process.env.ASSAY_LONG === '1' ? [20_000, 30_000] : [5_000, 5_000];
test(`R-5 ${manySpans} spans, nested or parallel, are assembled in seconds`, () => {
  const shapes = {
    nested: (id: number) => (id === 1 ? {} : { parent: id - 1 }),
    flat: (id: number) => (id === 1 ? {} : { parent: 1 }),
  };
  for (const place of Object.values(shapes)) {
    const spans = Array.from({ length: manySpans }, (_, at): SpanSketch => {
      const id = at + 1;
      if (id % 3 === 0) return tool(id, 'count', `{"n":${id}}`, place(id));
      return id % 3 === 1
        ? { ...agent(id, 3_000_000, place(id)), from: id * 100 }
        : chat(id, [user('q')], replied(`It is ${id - 1}.`), place(id));
    });
    const started = process.cpuUsage();
    const { turns } = assembleTrace(mergeSpans(spans.map(sketchSpan)).spans);
    expect(turns).toHaveLength(Math.ceil(manySpans / 3));
    expect(processorMsSince(started)).toBeLessThan(boundMs);
  }
}, 120_000);
