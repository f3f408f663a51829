// Exports of clients of other products for one call: a tool reads 91.4 and the model answers with
// it. Each trace becomes one turn with the tool's result under its call id, name and arguments.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Plain, sketchSpan, type SpanSketch } from '../span-fixture';
import { assembleTrace } from './assemble';
import { mergeSpans } from './merge-spans';

type Attributes = Readonly<Record<string, Plain>>;

const question = 'How full is web-1?';
const answer = 'web-1 is at 91.4 % now, with 21 GiB free.';
const rows = '{"rows":[{"host":"web-1","disk_pct":91.4}]}';
const disk = {
  id: 'call_1',
  name: 'disk',
  arguments: { host: 'web-1' },
  result: JSON.parse(rows) as unknown,
};
const json = JSON.stringify;

/** The conversation that the answering call received, in OpenAI's format. */
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'disk', arguments: '{"host":"web-1"}' },
};
const conversation = [
  { role: 'user', content: question },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: rows },
];

const lc = (name: string, kwargs: object): { [key: string]: Plain } => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs: kwargs as Plain,
});
const copied = (kwargs: object): { [key: string]: Plain } => ({
  lc_serializable: true,
  lc_kwargs: kwargs as Plain,
  lc_namespace: ['langchain_core', 'messages'],
  ...(kwargs as { [key: string]: Plain }),
});
const human = { content: question, response_metadata: {} };
const asks = { content: '', tool_calls: [{ id: 'call_1', name: 'disk', args: { host: 'web-1' } }] };
const brings = { content: rows, tool_call_id: 'call_1', name: 'disk', status: 'success' };
const serialized = [lc('HumanMessage', human), lc('AIMessage', asks), lc('ToolMessage', brings)];
const copies = [copied(human), copied(asks), copied(brings)];

interface Case {
  readonly spans: readonly Omit<SpanSketch, 'id'>[];
  readonly session?: string;
  readonly model?: string;
  readonly tokens?: { readonly input: number; readonly output: number };
  readonly user?: string;
  readonly tags?: readonly string[];
}

function assemble(spans: Case['spans']) {
  const sketches = spans.map((span, at) => sketchSpan({ id: at + 1, from: at * 100, ...span }));
  const trace = assembleTrace(mergeSpans(sketches).spans);
  return {
    ...trace,
    turns: trace.turns.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>),
  };
}

/** A wrapper span that covers its two model calls and its tool. */
const around = (attributes: Attributes, name = 'agent') => ({
  name,
  from: 0,
  to: 1_000,
  attributes,
});
const inside = (name: string, attributes: Attributes) => ({ name, parent: 1, attributes });

const openInference = (kind: string, members: Attributes): Attributes => ({
  'openinference.span.kind': kind,
  ...members,
});
const answeredBy = (model: string): Attributes => ({
  'llm.model_name': model,
  'llm.token_count.prompt': 40,
  'llm.token_count.completion': 12,
  'llm.output_messages.0.message.role': 'assistant',
});
const flatCall = (at: string): Attributes => ({
  [`${at}.tool_call.id`]: 'call_1',
  [`${at}.tool_call.function.name`]: 'disk',
  [`${at}.tool_call.function.arguments`]: '{"host":"web-1"}',
});
const messages = 'llm.input_messages';
const anthropic = (more: Attributes): Attributes => ({
  ...openInference('LLM', answeredBy('claude-sonnet-4-5')),
  'llm.provider': 'anthropic',
  [`${messages}.0.message.role`]: 'user',
  [`${messages}.0.message.content`]: question,
  [`${messages}.1.message.role`]: 'assistant',
  ...flatCall(`${messages}.1.message.tool_calls.0`),
  [`${messages}.1.message.contents.0.message_content.type`]: 'tool_use',
  ...flatCall(`${messages}.1.message.contents.0`),
  [`${messages}.2.message.role`]: 'user',
  [`${messages}.2.message.tool_call_id`]: 'call_1',
  [`${messages}.2.message.content`]: rows,
  'llm.output_messages.0.message.contents.0.message_content.type': 'text',
  'llm.output_messages.0.message.contents.0.message_content.text': answer,
  ...more,
});

const genkit = (subtype: string, name: string, input: Plain, output: Plain): Attributes => ({
  'genkit:type': 'action',
  'genkit:metadata:subtype': subtype,
  'genkit:name': name,
  'genkit:input': json(input),
  'genkit:output': json(output),
});
const genkitMessages: Plain = [
  { role: 'user', content: [{ text: question }] },
  {
    role: 'model',
    content: [{ toolRequest: { name: 'disk', ref: 'call_1', input: { host: 'web-1' } } }],
  },
  {
    role: 'tool',
    content: [{ toolResponse: { name: 'disk', ref: 'call_1', output: JSON.parse(rows) as Plain } }],
  },
];
const genkitCall = (more: Attributes = {}): Case['spans'] => [
  around({ ...genkit('flow', 'ops', question, answer), ...more }),
  inside('disk', genkit('tool', 'disk', { host: 'web-1' }, JSON.parse(rows) as Plain)),
  inside(
    'openai/gpt-4o',
    genkit(
      'model',
      'openai/gpt-4o',
      { messages: genkitMessages },
      {
        message: { role: 'model', content: [{ text: answer }] },
        finishReason: 'stop',
        usage: { inputTokens: 40, outputTokens: 12 },
      },
    ),
  ),
];

const langSmith = (kind: string, input: unknown, output: unknown, more: Attributes = {}) => ({
  'langsmith.span.kind': kind,
  'gen_ai.operation.name': { llm: 'chat', tool: 'execute_tool' }[kind] ?? kind,
  'gen_ai.system': 'openai',
  'gen_ai.prompt': json(input),
  'gen_ai.completion': json(output),
  ...more,
});
const counted: Attributes = { 'gen_ai.usage.input_tokens': 40, 'gen_ai.usage.output_tokens': 12 };
const gpt: Attributes = { 'gen_ai.request.model': 'gpt-4o', ...counted };
const completion = {
  choices: [{ message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
};
const langSmithCall = (
  metadata: Attributes,
  [input, output]: readonly [unknown, unknown] = [{ messages: conversation }, completion],
  tool: unknown = JSON.parse(rows),
): Case['spans'] => [
  around(langSmith('chain', { input: question }, { outputs: answer }, metadata)),
  inside('disk', langSmith('tool', { host: 'web-1' }, tool, metadata)),
  inside('ChatOpenAI', langSmith('llm', input, output, { ...gpt, ...metadata })),
];
const generations = (message: Plain) => ({ generations: [[{ text: answer, message }]] });
const replies = { content: answer, tool_calls: [], response_metadata: {} };

const otel = (more: Attributes = {}): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.input.messages': json(conversation),
  'gen_ai.output.messages': json([{ role: 'assistant', content: answer }]),
  ...counted,
  ...more,
});
const laminar = 'lmnr.association.properties.';
const own: Attributes = { [`${laminar}session_id`]: 's-1', [`${laminar}user_id`]: 'u-1' };

const fromLangChain = (input: Plain, result: Plain): Case['spans'] => [
  around(openInference('CHAIN', { 'session.id': 's-1' })),
  inside('disk', openInference('TOOL', { 'input.value': 'web-1', 'output.value': json(result) })),
  inside('ChatOpenAI', {
    ...openInference('LLM', answeredBy('gpt-4o')),
    'input.value': json(input),
    [`${messages}.0.message.role`]: 'user',
    [`${messages}.0.message.content`]: question,
    'llm.output_messages.0.message.content': answer,
  }),
];
const langfuse = (type: string, input: unknown, output: unknown): Attributes => ({
  'langfuse.observation.type': type,
  'langfuse.observation.input': typeof input === 'string' ? input : json(input),
  'langfuse.observation.output': typeof output === 'string' ? output : json(output),
});

const langWatch = (kind: string, type: string, input: unknown, output: unknown): Attributes => ({
  'langwatch.span.type': kind,
  'langwatch.input': json({ type, value: input }),
  'langwatch.output': json({ type, value: output }),
});

const claude = { model: 'anthropic/claude-sonnet-4-5', tokens: { input: 40, output: 12 } };
const openai = { model: 'openai/gpt-4o', tokens: { input: 40, output: 12 } };
const plain = { model: 'gpt-4o', tokens: { input: 40, output: 12 } };

const cases: Readonly<Record<string, Case>> = {
  'OpenInference Anthropic: a result of the role user': {
    spans: [{ attributes: anthropic({}) }],
    ...claude,
  },
  'OpenInference Anthropic: a result in parts': {
    spans: [
      {
        attributes: anthropic({
          [`${messages}.2.message.content`]: json([{ type: 'text', text: rows }]),
        }),
      },
    ],
    ...claude,
  },
  'OpenInference Anthropic: a result with text after it': {
    spans: [
      {
        attributes: anthropic({
          [`${messages}.2.message.contents.1.message_content.type`]: 'text',
          [`${messages}.2.message.contents.1.message_content.text`]: 'Go on.',
        }),
      },
    ],
    ...claude,
  },
  'OpenInference Anthropic around the SDK’s own span, which ends later': {
    spans: [
      around(anthropic({}), 'Anthropic Messages'),
      {
        name: 'anthropic.messages.create',
        parent: 1,
        from: 10,
        to: 1_500,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'claude',
          ...counted,
        },
      },
    ],
    ...claude,
  },
  Genkit: { spans: genkitCall(), ...openai },
  'Genkit: the session of a chat': {
    spans: genkitCall({ 'genkit:sessionId': 's-1' }),
    session: 's-1',
    ...openai,
  },
  'Genkit: the session in the context': {
    spans: genkitCall({ 'genkit:metadata:context': '{"auth":"<redacted>","sessionId":"s-1"}' }),
    session: 's-1',
    ...openai,
  },
  'Genkit: the session of an agent': {
    spans: genkitCall({ 'genkit:init': '{"sessionId":"s-1"}' }),
    session: 's-1',
    ...openai,
  },
  ...Object.fromEntries(
    [
      'metadata.session_id',
      'metadata.thread_id',
      'metadata.conversation_id',
      'trace.session_id',
    ].map((key): [string, Case] => [
      `LangSmith: the session as ${key}`,
      {
        spans: langSmithCall({
          [`langsmith.${key}`]: 's-1',
          'langsmith.metadata.user_id': 'u-1',
          'langsmith.span.tags': 'disk, ops',
        }),
        session: 's-1',
        user: 'u-1',
        tags: ['disk', 'ops'],
        ...openai,
      },
    ]),
  ),
  'LangSmith: a metadata session before the id of the project': {
    spans: langSmithCall({
      'langsmith.trace.session_id': 'project',
      'langsmith.metadata.thread_id': 's-1',
    }),
    session: 's-1',
    ...openai,
  },
  'LangSmith: LangChain’s serialized messages': {
    spans: langSmithCall({}, [{ messages: [serialized] }, generations(lc('AIMessage', replies))], {
      output: lc('ToolMessage', brings),
    }),
    ...openai,
  },
  'LangSmith: a text as the tool’s output': {
    spans: langSmithCall({}, undefined, { outputs: rows }),
    ...openai,
  },
  Laminar: {
    spans: [
      around({
        ...own,
        'lmnr.span.input': json([question]),
        'lmnr.span.output': json(answer),
        [`${laminar}tags`]: ['disk'],
      }),
      inside('disk', {
        ...own,
        'lmnr.span.type': 'TOOL',
        'lmnr.span.input': '{"host":"web-1"}',
        'lmnr.span.output': rows,
      }),
      inside('chat gpt-4o', { ...own, ...otel(), 'lmnr.span.path': ['agent', 'chat gpt-4o'] }),
    ],
    session: 's-1',
    user: 'u-1',
    tags: ['disk'],
    ...openai,
  },
  Mastra: {
    spans: [
      {
        attributes: otel({ 'mastra.metadata.sessionId': 's-1', 'mastra.metadata.userId': 'u-1' }),
      },
    ],
    session: 's-1',
    user: 'u-1',
    ...openai,
  },
  LangWatch: {
    spans: [
      around({
        ...langWatch('agent', 'text', question, answer),
        'langwatch.thread.id': 's-1',
        'langwatch.user.id': 'u-1',
        'langwatch.labels': ['disk'],
      }),
      inside('disk', langWatch('tool', 'json', { host: 'web-1' }, JSON.parse(rows) as unknown)),
      inside('answer', {
        ...langWatch('llm', 'chat_messages', conversation, [
          { role: 'assistant', content: answer },
        ]),
        'gen_ai.request.model': 'openai/gpt-4o',
        'langwatch.metrics': json({
          type: 'json',
          value: { promptTokens: 40, completionTokens: 12 },
        }),
      }),
    ],
    session: 's-1',
    user: 'u-1',
    tags: ['disk'],
    ...openai,
  },
  ...Object.fromEntries(
    [
      'Helicone-Session-Id',
      'helicone.session.id',
      'traceloop.association.properties.Helicone-Session-Id',
      'http.request.header.helicone-session-id',
    ].map((key): [string, Case] => [
      `Helicone: the session as ${key}`,
      {
        spans: [
          {
            attributes: otel({
              [key]: key.startsWith('http') ? ['s-1'] : 's-1',
              'Helicone-User-Id': 'u-1',
            }),
          },
        ],
        session: 's-1',
        user: 'u-1',
        ...openai,
      },
    ]),
  ),
  'OpenInference LangChain: serialized messages': {
    spans: fromLangChain({ messages: [serialized] }, { output: lc('ToolMessage', brings) }),
    session: 's-1',
    ...plain,
  },
  'OpenInference LangChain: copied messages': {
    spans: fromLangChain({ messages: copies }, copied(brings)),
    session: 's-1',
    ...plain,
  },
  'Langfuse’s callback for LangChain: the role is the name of the tool': {
    spans: [
      around({ ...langfuse('span', question, answer), 'session.id': 's-1' }),
      inside('disk', langfuse('tool', { host: 'web-1' }, lc('ToolMessage', brings))),
      inside('ChatOpenAI', {
        ...langfuse(
          'generation',
          { messages: [...conversation.slice(0, 2), { role: 'disk', content: rows }] },
          { role: 'assistant', content: answer },
        ),
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.usage_details': '{"input":40,"output":12}',
      }),
    ],
    session: 's-1',
    ...plain,
  },
};

test.each(Object.entries(cases))('%s', (_name, { spans, session, model, tokens, user, tags }) => {
  const trace = assemble(spans);
  expect(trace.notes).toEqual([]);
  expect(trace.turns).toHaveLength(1);
  const [turn] = trace.turns;
  expect(turn).toMatchObject({ output: answer, model, tokens, tools: [disk] });
  expect(turn?.session_id).toBe(session);
  expect(trace.sessionId).toBe(session ?? null);
  expect(trace.userId).toBe(user ?? null);
  expect(turn?.tags).toEqual(tags ?? []);
});

/** Assembles the answer to a conversation in OTel's form. */
function toolsOf(input: unknown): unknown {
  const { turns } = assemble([{ attributes: otel({ 'gen_ai.input.messages': json(input) }) }]);
  return turns[0]?.tools;
}

describe('rules for any message', () => {
  test('a message with the id of a call is its result, whatever its role', () => {
    const role = fc.oneof(
      fc.constantFrom('user', 'tool', 'assistant', 'system', 'function', 'observation'),
      fc.string({ minLength: 1, maxLength: 20 }),
    );
    const content = fc.constantFrom<unknown>(
      rows,
      [{ type: 'text', text: rows }],
      JSON.parse(rows),
    );
    fc.assert(
      fc.property(role, content, fc.constantFrom('tool_call_id', 'toolCallId'), (as, sent, key) => {
        const brought = { role: as, [key]: 'call_1', content: sent };
        expect(toolsOf([...conversation.slice(0, 2), brought])).toEqual([disk]);
      }),
      { numRuns: 200 },
    );
  });

  test('LangChain’s wrappers are read in any depth and form', () => {
    const { letrec, oneof, constant, tuple } = fc;
    type Wrap = (value: { [key: string]: Plain }) => { [key: string]: Plain };
    const { wraps } = letrec<{ wraps: Wrap }>((tie) => ({
      wraps: oneof(
        { maxDepth: 6 },
        constant<Wrap>((value) => value),
        tuple(
          fc.constantFrom<Wrap>(
            (value) => ({ lc: 1, type: 'constructor', id: ['x', 'Wrapper'], kwargs: value }),
            (value) => ({ lc: 1, type: 'constructor', id: ['x', 'Wrapper'], kwargs: json(value) }),
            (value) => ({ lc_serializable: true, lc_namespace: ['x'], lc_kwargs: value }),
          ),
          tie('wraps'),
        ).map(
          ([outer, inner]): Wrap =>
            (value) =>
              outer(inner(value)),
        ),
      ),
    }));
    const outside = fc.constantFrom<(all: Plain) => Plain>(
      (all) => all,
      (all) => [[all]],
      (all) => ({ messages: [all] }),
      (all) => lc('ChatPromptValue', { messages: all }),
    );
    fc.assert(
      fc.property(fc.constantFrom(serialized, copies), wraps, outside, (form, wrap, nest) => {
        const wrapped = nest(form.map(wrap));
        expect(toolsOf(wrapped)).toEqual([disk]);
        const [last] = form.slice(-1).map(wrap);
        const { turns } = assemble(fromLangChain({ messages: form }, { output: last ?? null }));
        expect(turns[0]?.tools).toEqual([disk]);
      }),
      { numRuns: 200 },
    );
  });

  test('parallel results that an instrumentation flattens into one keep their ids', () => {
    const two = [
      { role: 'user', content: question },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'disk', input: { host: 'web-1' } },
          { type: 'tool_use', id: 'b', name: 'disk', input: { host: 'web-2' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: '{"pct":91.4}' },
          { type: 'tool_result', tool_use_id: 'b', content: '{"pct":40}' },
        ],
      },
    ];
    const { turns } = assemble([
      { attributes: anthropic({ 'input.value': json({ messages: two }) }) },
    ]);
    expect(turns[0]?.tools).toEqual([
      { id: 'a', name: 'disk', arguments: { host: 'web-1' }, result: { pct: 91.4 } },
      { id: 'b', name: 'disk', arguments: { host: 'web-2' }, result: { pct: 40 } },
    ]);
  });

  test('results without ids answer the open calls in order, by their names', () => {
    const asked = ['a', 'b', 'c'].map((id) => ({
      ...call,
      id,
      function: { name: id === 'b' ? 'load' : 'disk', arguments: '{}' },
    }));
    const brought = ['disk', 'load', 'disk'].map((role, at) => ({ role, content: `{"n":${at}}` }));
    expect(
      toolsOf([{ role: 'assistant', content: '', tool_calls: asked }, ...brought]),
    ).toMatchObject([
      { id: 'a', name: 'disk', result: { n: 0 } },
      { id: 'b', name: 'load', result: { n: 1 } },
      { id: 'c', name: 'disk', result: { n: 2 } },
    ]);
  });

  test('a tool’s own object is no message', () => {
    for (const result of [
      { output: { pct: 91.4 } },
      { role: 'admin', content: 'x' },
      { kwargs: { content: 'x' } },
    ]) {
      const { turns } = assemble(fromLangChain([], result));
      expect(turns[0]?.tools).toMatchObject([{ result }]);
    }
  });
});

test('wrong types at every position neither throw nor lose neighbours', () => {
  const attributes = Object.values(cases).flatMap(({ spans }) =>
    spans.map((span) => span.attributes ?? {}),
  );
  const value = fc.oneof(
    fc.jsonValue().map((any) => any as Plain),
    fc.jsonValue().map((any) => json(any)),
    fc.constantFrom<Plain>(
      json(serialized),
      json(copies),
      '{"lc":1,"kwargs":7}',
      '[[[]]]',
      '{"lc_kwargs":"{"}',
    ),
  );
  const broken = fc
    .tuple(
      fc.constantFrom(...attributes),
      fc.array(fc.tuple(fc.nat(), value), { minLength: 1, maxLength: 4 }),
    )
    .map(([sound, edits]) => {
      const keys = Object.keys(sound);
      return {
        ...sound,
        ...Object.fromEntries(edits.map(([at, to]) => [keys[at % keys.length] ?? '', to])),
      };
    });
  fc.assert(
    fc.property(fc.array(broken, { minLength: 1, maxLength: 3 }), (hostile) => {
      const sound = { name: 'sound', from: 5_000, attributes: otel() };
      const spans = hostile.map((each, at) => ({
        name: `hostile ${at}`,
        from: 9_000,
        attributes: each,
      }));
      const { turns } = assemble([sound, ...spans]);
      const whole = turns.find(({ metadata }) => json(metadata).includes('"name":"sound"'));
      expect(whole).toMatchObject({ output: answer, tools: [disk] });
    }),
    { numRuns: 400 },
  );
});
