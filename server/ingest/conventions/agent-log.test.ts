import { expect, test } from 'vitest';
import {
  exportOf,
  logsOf,
  nsAfter,
  type OtlpLog,
  type OtlpSpan,
  text,
  traceIdOf,
  spanIdOf,
} from '../../../testing/otlp';
import { createRandom } from '../../../testing/seed';
import { assembleTrace } from '../assembly/assemble';
import type { AssembledTrace } from '../assembly/assembled';
import { mergeSpans } from '../assembly/merge-spans';
import { readLogSegments } from '../intake/log-segments';
import { decodeSegment } from '../otlp/decode-segment';

type Fields = Readonly<Record<string, string | number | boolean>>;

const pairs = (fields: Fields) =>
  Object.entries(fields).map(([key, value]) =>
    typeof value === 'string'
      ? text(key, value)
      : typeof value === 'boolean'
        ? { key, value: { boolValue: value } }
        : { key, value: Number.isInteger(value) ? { intValue: value } : { doubleValue: value } },
  );

/** A record as Claude Code sends it: the full name in the body, the short one in `event.name`. */
function claude(ms: number, name: string, fields: Fields): OtlpLog {
  return {
    timeUnixNano: nsAfter(ms),
    body: { stringValue: `claude_code.${name}` },
    attributes: pairs({
      'session.id': 's-1',
      'user.id': 'u-1',
      'event.name': name,
      'event.sequence': ms,
      'prompt.id': 'p-1',
      ...fields,
    }),
  };
}

const answered: readonly OtlpLog[] = [
  claude(0, 'user_prompt', { prompt: 'How full is web-1?', prompt_length: 18 }),
  claude(900, 'api_request', {
    model: 'claude-sonnet-4-5',
    request_id: 'req_title',
    query_source: 'generate_session_title',
    input_tokens: 10,
    output_tokens: 2,
    cost_usd: 0.001,
    duration_ms: 800,
  }),
  claude(901, 'assistant_response', {
    response: 'Disk usage',
    request_id: 'req_title',
    query_source: 'generate_session_title',
  }),
  claude(2000, 'api_request', {
    model: 'claude-sonnet-4-5',
    request_id: 'req_1',
    query_source: 'repl_main_thread',
    input_tokens: '20',
    output_tokens: '5',
    cache_read_tokens: '300',
    cache_creation_tokens: '40',
    cost_usd: '0.01',
    duration_ms: '1000',
  }),
  claude(2001, 'assistant_response', {
    response: 'I will look.',
    request_id: 'req_1',
    query_source: 'repl_main_thread',
  }),
  claude(2010, 'tool_decision', { tool_name: 'Bash', tool_use_id: 'toolu_1', decision: 'accept' }),
  claude(2500, 'tool_result', {
    tool_name: 'Bash',
    tool_use_id: 'toolu_1',
    success: 'true',
    duration_ms: 480,
    tool_input: '{"command":"df -h"}',
  }),
  claude(4000, 'api_request', {
    model: 'claude-sonnet-4-5',
    request_id: 'req_2',
    query_source: 'repl_main_thread',
    input_tokens: 30,
    output_tokens: 8,
    cost_usd: 0.02,
    duration_ms: 1200,
  }),
  claude(4001, 'assistant_response', {
    response: 'It is at 91.4%.',
    request_id: 'req_2',
    query_source: 'repl_main_thread',
  }),
];

/** The trace of all requests; fails if they form more than one. */
function traceOf(requests: readonly (readonly OtlpLog[])[]): AssembledTrace {
  const resource = [text('service.name', 'agent-cli')];
  const spans = requests.flatMap((logs) =>
    readLogSegments('p', {
      body: logsOf('proto', logs, resource),
      format: 'proto',
    }).segments.flatMap(({ body }) => decodeSegment('json', body)),
  );
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  return assembleTrace(mergeSpans(spans).spans);
}

const turnsOf = ({ turns }: AssembledTrace) =>
  turns.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);

test('a prompt of Claude Code with its answer is one turn, whatever the order and the requests', () => {
  const whole = traceOf([answered]);
  expect(whole).toMatchObject({
    name: 'claude_code.prompt',
    service: 'agent-cli',
    sessionId: 's-1',
    userId: 'u-1',
    // The prompt, three calls and the tool.
    spans: 5,
    errors: 0,
    models: ['anthropic/claude-sonnet-4-5'],
    usage: { inputTokens: 10 + 360 + 30, outputTokens: 15, sentCostUsd: 0.031 },
    flags: [],
  });
  expect(turnsOf(whole)).toMatchObject([
    {
      session_id: 's-1',
      model: 'anthropic/claude-sonnet-4-5',
      input: [{ role: 'user', content: 'How full is web-1?' }],
      output: 'It is at 91.4%.',
      tools: [{ id: 'toolu_1', name: 'Bash', arguments: { command: 'df -h' } }],
    },
  ]);
  expect(whole.notes).toEqual([
    {
      spanId: expect.any(String),
      reason: expect.stringMatching(/^Claude Code does not send the results/),
    },
  ]);
  const random = createRandom('agent-log');
  for (let i = 0; i < 30; i++) {
    const shuffled = random.shuffle(answered);
    const cutAt = 1 + Math.floor(random.next() * (answered.length - 1));
    const requests = [shuffled.slice(0, cutAt), shuffled.slice(cutAt), shuffled.slice(0, cutAt)];
    expect(traceOf(requests)).toEqual(whole);
  }
});

test('without texts, Claude Code gives a session with models, tokens and cost, and one note of each kind', () => {
  const redacted = answered.map((log) => ({
    ...log,
    attributes: (log.attributes ?? []).map((pair) =>
      pair.key === 'response' || pair.key === 'prompt' ? text(pair.key, '<REDACTED>') : pair,
    ),
  }));
  const trace = traceOf([redacted]);
  expect(trace).toMatchObject({
    sessionId: 's-1',
    turns: [],
    usage: { sentCostUsd: 0.031, outputTokens: 15 },
  });
  expect(trace.notes.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/OTEL_LOG_USER_PROMPTS=1 and OTEL_LOG_ASSISTANT_RESPONSES=1/),
  ]);
});

test('failed calls and tools of Claude Code are errors with their reason', () => {
  const trace = traceOf([
    [
      claude(5, 'api_error', { error: 'overloaded', request_id: 'r', model: 'm', duration_ms: 5 }),
      claude(9, 'tool_result', {
        tool_name: 'Read',
        tool_use_id: 't',
        success: false,
        error: 'no file',
      }),
    ],
  ]);
  expect(trace.errors).toBe(2);
  expect(trace.notes.map(({ reason }) => reason)).toEqual(['the call failed: overloaded']);
});

test('records with a trace id join that trace, below the span in which they were sent', () => {
  const traceId = traceIdOf('app');
  const logs = answered.map((log) => ({ ...log, traceId, spanId: spanIdOf(0) }));
  const { segments } = readLogSegments('p', { body: logsOf('json', logs), format: 'json' });
  expect(segments.map((segment) => segment.traceId)).toEqual([traceId]);
  const spans = segments.flatMap(({ body }) => decodeSegment('json', body));
  const prompt = spans.find(({ name }) => name === 'claude_code.prompt');
  expect(prompt?.parentSpanId).toBe(spanIdOf(0));
  expect(new Set(spans.filter((span) => span !== prompt).map((span) => span.parentSpanId))).toEqual(
    new Set([prompt?.spanId]),
  );
});

test('an agent that an instrumented program runs gives its own turn, with or without its prompt', () => {
  const traceId = traceIdOf('app');
  const caller: OtlpSpan = {
    traceId,
    spanId: spanIdOf(0),
    name: 'chat',
    startTimeUnixNano: nsAfter(0),
    endTimeUnixNano: nsAfter(9000),
    attributes: [
      text('gen_ai.operation.name', 'chat'),
      text(
        'gen_ai.output.messages',
        '[{"role":"assistant","parts":[{"type":"text","content":"Done."}]}]',
      ),
    ],
  };
  for (const sent of [answered, answered.slice(1)]) {
    const logs = sent.map((log) => ({ ...log, traceId, spanId: caller.spanId }));
    const { segments } = readLogSegments('p', { body: logsOf('json', logs), format: 'json' });
    const spans = segments.flatMap(({ body }) => decodeSegment('json', body));
    const { turns } = assembleTrace(
      mergeSpans([...spans, ...decodeSegment('json', exportOf('json', [caller]))]).spans,
    );
    expect(
      turns.map(({ payload }) => (JSON.parse(payload) as { output: string }).output).sort(),
    ).toEqual(['Done.', 'It is at 91.4%.']);
  }
});

test.each<[string, Fields, Fields, boolean]>([
  ['the same prompt', {}, {}, true],
  ['two prompts', { 'prompt.id': 'p-2' }, {}, false],
  ['two sessions', { 'session.id': 's-2' }, {}, false],
])('records are grouped by session and prompt: %s', (_what, one, other, isSame) => {
  const logs = [claude(1, 'user_prompt', one), claude(2, 'api_request', other)];
  const { segments } = readLogSegments('p', { body: logsOf('json', logs), format: 'json' });
  expect(segments).toHaveLength(isSame ? 1 : 2);
});

/** A record as Codex sends it: the name in `event.name`, and no body. */
function codex(ms: number, name: string, fields: Fields): OtlpLog {
  return {
    observedTimeUnixNano: nsAfter(ms),
    attributes: pairs({
      'event.name': `codex.${name}`,
      'conversation.id': 'c-1',
      model: 'gpt-5-codex',
      ...fields,
    }),
  };
}

const conversation: readonly OtlpLog[] = [
  codex(0, 'conversation_starts', { provider_name: 'OpenAI', approval_policy: 'on-request' }),
  codex(10, 'user_prompt', { prompt: 'How full is web-1?', prompt_length: '18' }),
  codex(500, 'api_request', { duration_ms: '480', 'http.response.status_code': 200 }),
  codex(600, 'sse_event', { 'event.kind': 'response.output_text.delta', duration_ms: '1' }),
  codex(900, 'sse_event', {
    'event.kind': 'response.completed',
    input_token_count: '120',
    output_token_count: '30',
    cached_token_count: '100',
    reasoning_token_count: '20',
  }),
  codex(1000, 'tool_decision', { tool_name: 'shell', call_id: 'call_1', decision: 'approved' }),
  codex(1500, 'tool_result', {
    tool_name: 'shell',
    call_id: 'call_1',
    arguments: '{"command":["df"]}',
    duration_ms: '400',
    success: 'true',
    output: 'web-1 91.4%',
  }),
  codex(1600, 'sse_event', { 'event.kind': 'response.failed', 'error.message': 'cut off' }),
];

test('a conversation of Codex is a session with its prompt, tools, model and tokens, and the reason for no turn', () => {
  const whole = traceOf([conversation]);
  expect(whole).toMatchObject({
    name: 'codex.conversation',
    sessionId: 'c-1',
    // The conversation, its prompt, one completed and one failed call, one tool.
    spans: 5,
    errors: 1,
    models: ['openai/gpt-5-codex'],
    usage: { inputTokens: 120, cacheReadTokens: 100, outputTokens: 30, reasoningTokens: 20 },
    turns: [],
  });
  expect(whole.notes.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^Codex sends .* never the text of its answers/),
    'the call failed: cut off',
  ]);
  expect(traceOf([[...conversation].reverse(), conversation])).toEqual(whole);
});
