import { describe, expect, test } from 'vitest';
import { type Plain, sketchSpan } from '../span-fixture';
import { readGenSpan } from './index';
import type { GenSpan } from './gen-span';
import { embedJson, readAttributeJson, writeJson } from './json-value';
import { modelName } from './model-name';

type Given = {
  readonly attributes: Readonly<Record<string, Plain>>;
  readonly events?: readonly { name: string; attributes: Record<string, Plain> }[];
};

function read(given: Given, name = 'a span'): GenSpan {
  return readGenSpan(
    sketchSpan({ id: 1, name, attributes: given.attributes, events: given.events ?? [] }),
  );
}

const asked = { role: 'user', text: 'How full is web-1?' };
const called = {
  role: 'assistant',
  calls: [{ id: 'c1', name: 'disk', arguments: '{"host":"web-1"}' }],
};
const brought = { role: 'tool', results: [{ callId: 'c1', result: '{"pct":91.40}' }] };
const answered = { role: 'assistant', text: 'It is 91.4% full.' };
const conversation = [asked, called, brought];

const otelInput = [
  { role: 'user', parts: [{ type: 'text', content: asked.text }] },
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', content: 'hm 17' },
      { type: 'tool_call', id: 'c1', name: 'disk', arguments: { host: 'web-1' } },
    ],
  },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '{"pct":91.40}' }] },
];
const otelOutput = [
  { role: 'assistant', parts: [{ type: 'text', content: answered.text }], finish_reason: 'stop' },
];
const openAiInput = [
  { role: 'user', content: asked.text },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'disk', arguments: '{"host":"web-1"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: '{"pct":91.40}' },
];

/** One conversation in the format of each convention. */
const spellings: Record<string, Given> = {
  'OTel, messages as JSON text': {
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.input.messages': JSON.stringify(otelInput),
      'gen_ai.output.messages': JSON.stringify(otelOutput),
    },
  },
  'OTel, messages as structured values': {
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.response.model': 'gpt-4o',
      'gen_ai.request.model': 'gpt-4',
      'gen_ai.input.messages': otelInput,
      'gen_ai.output.messages': otelOutput,
    },
  },
  'OTel, content on the details event': {
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
    },
    events: [
      {
        name: 'gen_ai.client.inference.operation.details',
        attributes: {
          'gen_ai.input.messages': JSON.stringify(otelInput),
          'gen_ai.output.messages': JSON.stringify(otelOutput),
        },
      },
    ],
  },
  'OTel, results under `result`': {
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.input.messages': JSON.stringify(otelInput).replace('"response":', '"result":'),
      'gen_ai.output.messages': JSON.stringify(otelOutput),
    },
  },
  'OTel legacy, numbered keys': {
    attributes: {
      'llm.request.type': 'chat',
      'gen_ai.system': 'OpenAI',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': asked.text,
      'gen_ai.prompt.1.role': 'assistant',
      'gen_ai.prompt.1.tool_calls.0.id': 'c1',
      'gen_ai.prompt.1.tool_calls.0.name': 'disk',
      'gen_ai.prompt.1.tool_calls.0.arguments': '{"host":"web-1"}',
      'gen_ai.prompt.2.role': 'tool',
      'gen_ai.prompt.2.tool_call_id': 'c1',
      'gen_ai.prompt.2.content': '{"pct":91.40}',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': answered.text,
      'gen_ai.completion.0.finish_reason': 'stop',
    },
  },
  'OTel legacy, an event a message': {
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
    },
    events: [
      { name: 'gen_ai.user.message', attributes: { content: asked.text } },
      {
        name: 'gen_ai.assistant.message',
        attributes: { 'gen_ai.event.content': JSON.stringify(openAiInput[1]) },
      },
      { name: 'gen_ai.tool.message', attributes: { id: 'c1', content: '{"pct":91.40}' } },
      {
        name: 'gen_ai.choice',
        attributes: {
          index: 0,
          finish_reason: 'stop',
          message: JSON.stringify({ role: 'assistant', content: answered.text }),
        },
      },
    ],
  },
  'OTel legacy, content events': {
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
    },
    events: [
      {
        name: 'gen_ai.content.prompt',
        attributes: { 'gen_ai.prompt': JSON.stringify(openAiInput) },
      },
      { name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': answered.text } },
    ],
  },
  OpenInference: {
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.provider': 'openai',
      'llm.model_name': 'gpt-4o',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.contents.0.message_content.type': 'text',
      'llm.input_messages.0.message.contents.0.message_content.text': asked.text,
      'llm.input_messages.1.message.role': 'assistant',
      'llm.input_messages.1.message.tool_calls.0.tool_call.id': 'c1',
      'llm.input_messages.1.message.tool_calls.0.tool_call.function.name': 'disk',
      'llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments': '{"host":"web-1"}',
      'llm.input_messages.2.message.role': 'tool',
      'llm.input_messages.2.message.tool_call_id': 'c1',
      'llm.input_messages.2.message.content': '{"pct":91.40}',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': answered.text,
    },
  },
  'AI SDK': {
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.provider': 'openai.chat',
      'ai.model.id': 'gpt-4o',
      'ai.prompt.messages': JSON.stringify([
        { role: 'user', content: [{ type: 'text', text: asked.text }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'c1', toolName: 'disk', input: { host: 'web-1' } },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'disk',
              output: { type: 'json', value: 0 },
            },
          ],
        },
      ]).replace('"value":0', '"value":{"pct":91.40}'),
      'ai.response.text': answered.text,
    },
  },
  'Langfuse, messages as JSON text': {
    attributes: {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'openai/gpt-4o',
      'langfuse.observation.input': JSON.stringify(openAiInput),
      'langfuse.observation.output': JSON.stringify({ role: 'assistant', content: answered.text }),
    },
  },
  'Anthropic shapes in OTel': {
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.input.messages': JSON.stringify([
        { role: 'user', content: asked.text },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm 17' },
            { type: 'tool_use', id: 'c1', name: 'disk', input: { host: 'web-1' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c1',
              content: [{ type: 'text', text: '{"pct":91.40}' }],
            },
          ],
        },
      ]),
      'gen_ai.output.messages': JSON.stringify([
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'It is ' },
            { type: 'text', text: '91.4% full.' },
          ],
        },
      ]),
    },
  },
  'OpenAI responses in OpenInference': {
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.provider': 'openai',
      'llm.model_name': 'gpt-4o',
      'input.value': JSON.stringify({
        model: 'gpt-4o',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: asked.text }] },
          { type: 'function_call', call_id: 'c1', name: 'disk', arguments: '{"host":"web-1"}' },
          { type: 'function_call_output', call_id: 'c1', output: '{"pct":91.40}' },
        ],
      }),
      'output.value': JSON.stringify({
        output: [
          { type: 'reasoning', summary: [] },
          {
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text: answered.text }],
          },
        ],
      }),
    },
  },
};

describe('one conversation reads the same from every convention', () => {
  test.each(Object.entries(spellings))('INT-2 %s', (_, given) => {
    const gen = read(given);
    expect(gen.role).toBe('llm');
    expect(gen.model).toBe('openai/gpt-4o');
    expect(gen.input).toMatchObject(conversation);
    expect(gen.input).toHaveLength(conversation.length);
    expect(gen.output).toMatchObject([answered]);
    expect(gen.output[0]?.calls).toEqual([]);
  });
});

describe('roles', () => {
  test.each<[Record<string, Plain>, GenSpan['role']]>([
    [{ 'gen_ai.operation.name': 'generate_content' }, 'llm'],
    [{ 'gen_ai.operation.name': 'text_completion' }, 'llm'],
    [{ 'gen_ai.operation.name': 'execute_tool' }, 'tool'],
    [{ 'gen_ai.operation.name': 'invoke_agent' }, 'agent'],
    [{ 'gen_ai.operation.name': 'create_agent' }, 'other'],
    [{ 'gen_ai.operation.name': 'embeddings' }, 'embedding'],
    [{ 'gen_ai.operation.name': 'retrieval' }, 'retriever'],
    [{ 'gen_ai.tool.name': 'disk' }, 'tool'],
    [{ 'gen_ai.request.model': 'gpt-4o' }, 'llm'],
    [{ 'traceloop.span.kind': 'workflow' }, 'chain'],
    [{ 'traceloop.span.kind': 'agent' }, 'agent'],
    [{ 'traceloop.span.kind': 'tool' }, 'tool'],
    [{ 'openinference.span.kind': 'AGENT' }, 'agent'],
    [{ 'openinference.span.kind': 'CHAIN' }, 'chain'],
    [{ 'openinference.span.kind': 'RETRIEVER' }, 'retriever'],
    [{ 'openinference.span.kind': 'EVALUATOR' }, 'evaluator'],
    [{ 'openinference.span.kind': 'GUARDRAIL' }, 'other'],
    [{ 'ai.operationId': 'ai.streamText' }, 'chain'],
    [{ 'ai.operationId': 'ai.streamText.doStream' }, 'llm'],
    [{ 'ai.operationId': 'ai.toolCall' }, 'tool'],
    [{ 'ai.operationId': 'ai.embed.doEmbed' }, 'embedding'],
    [{ 'langfuse.observation.type': 'agent' }, 'agent'],
    [{ 'langfuse.observation.type': 'span' }, 'other'],
    [{ 'langfuse.observation.type': 'span', 'gen_ai.operation.name': 'chat' }, 'llm'],
    [{ 'http.request.method': 'GET' }, 'other'],
  ])('%o is %s', (attributes, role) => expect(read({ attributes }).role).toBe(role));
});

test('tools in each convention: name, call id, arguments, and the result as sent', () => {
  const tools: Given[] = [
    {
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'disk',
        'gen_ai.tool.call.id': 'c1',
        'gen_ai.tool.call.arguments': '{"host":"web-1"}',
        'gen_ai.tool.call.result': '{"pct":91.40}',
      },
    },
    {
      attributes: {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'disk',
        'tool_call.id': 'c1',
        'input.value': '{"host":"web-1"}',
        'output.value': '{"pct":91.40}',
      },
    },
    {
      attributes: {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'disk',
        'ai.toolCall.id': 'c1',
        'ai.toolCall.args': '{"host":"web-1"}',
        'ai.toolCall.result': '{"pct":91.40}',
      },
    },
  ];
  for (const given of tools) {
    expect(read(given)).toMatchObject({
      role: 'tool',
      toolName: 'disk',
      toolCallId: 'c1',
      toolArguments: '{"host":"web-1"}',
      toolResult: '{"pct":91.40}',
    });
  }
  const named = read(
    {
      attributes: {
        'langfuse.observation.type': 'tool',
        'langfuse.observation.output': '{"pct":91.40}',
      },
    },
    'disk',
  );
  expect(named).toMatchObject({ toolName: 'disk', toolResult: '{"pct":91.40}' });
  const traceloop = {
    'traceloop.span.kind': 'tool',
    'traceloop.entity.name': 'disk',
    'traceloop.entity.output': 'full',
  };
  expect(read({ attributes: traceloop })).toMatchObject({ toolName: 'disk', toolResult: '"full"' });
});

test('documents in each convention', () => {
  const flat = {
    'openinference.span.kind': 'RETRIEVER',
    'retrieval.documents.1.document.content': 'b',
    'retrieval.documents.0.document.id': 'd0',
    'retrieval.documents.0.document.content': 'a',
  }; // prettier-ignore
  const listed = [{ id: 'd0', content: 'a' }, { page_content: 'b' }, { id: 'nothing' }];
  const expected = [
    { id: 'd0', content: '"a"' },
    { id: null, content: '"b"' },
  ];
  expect(read({ attributes: flat }).documents).toEqual(expected);
  expect(
    read({
      attributes: {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.retrieval.documents': JSON.stringify(listed),
      },
    }).documents,
  ).toEqual(expected);
  expect(
    read({
      attributes: {
        'langfuse.observation.type': 'retriever',
        'langfuse.observation.output': JSON.stringify({ documents: listed }),
      },
    }).documents,
  ).toEqual(expected); // prettier-ignore
});

test('user, cost and the client’s metadata', () => {
  expect(
    read({
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.session.id': 's-1',
        'user.id': 'u-1',
        'langfuse.observation.usage_details': '{"input":11,"output":7,"total":18}',
        'langfuse.observation.cost_details': '{"input":0.25,"output":0.5}',
        'langfuse.observation.prompt.name': 'ops',
        'langfuse.trace.tags': ['a', 'b'],
        'langfuse.trace.metadata.team': 'infra',
      },
    }),
  ).toMatchObject({
    sessionId: 's-1',
    userId: 'u-1',
    inputTokens: 11,
    outputTokens: 7,
    costUsd: 0.75,
    promptName: 'ops',
    tags: ['a', 'b'],
  });
  expect(
    read({
      attributes: {
        'openinference.span.kind': 'LLM',
        'session.id': 's-2',
        'llm.token_count.prompt': 3,
        'llm.token_count.completion': 4,
        'llm.cost.total': 0.01,
        metadata: '{"big":12345678901234567890}',
        'tag.tags': ['t'],
      },
    }),
  ).toMatchObject({
    sessionId: 's-2',
    inputTokens: 3,
    outputTokens: 4,
    costUsd: 0.01,
    metadata: new Map([['big', { raw: '12345678901234567890' }]]),
    tags: ['t'],
  });
  const legacy = {
    'gen_ai.system': 'x',
    'gen_ai.usage.prompt_tokens': 5,
    'gen_ai.usage.completion_tokens': 6,
    'assay.session.id': 's-3',
    'assay.mission.id': 'm',
  };
  const gen = read({ attributes: legacy });
  expect(gen).toMatchObject({ inputTokens: 5, outputTokens: 6, sessionId: 's-3' });
  expect(gen.assay).toEqual(
    new Map([
      ['session.id', 's-3'],
      ['mission.id', 'm'],
    ]),
  ); // prettier-ignore
});

test('content that its client was configured to hide counts as missing', () => {
  const gen = read({
    attributes: {
      'openinference.span.kind': 'LLM',
      'output.value': '__REDACTED__',
      'llm.output_messages.0.message.content': '__REDACTED__',
    },
  });
  expect(gen.output).toEqual([]);
  expect(gen.outputValue).toBeNull();
});

test.each([
  ['openai', 'gpt-4o', 'openai/gpt-4o'],
  ['openai.responses', 'gpt-4o', 'openai/gpt-4o'],
  ['azure.ai.openai', 'gpt-4o', 'azure/gpt-4o'],
  ['gcp.vertex_ai', 'gemini-2.5-pro', 'google/gemini-2.5-pro'],
  ['Anthropic', 'claude-haiku-4-5', 'anthropic/claude-haiku-4-5'],
  ['openai', 'meta/llama-3', 'meta/llama-3'],
  ['langchain', 'gpt-4o', 'gpt-4o'],
  [null, 'gpt-4o', 'gpt-4o'],
])('the model of provider %s and name %s is %s', (provider, model, expected) =>
  expect(modelName(provider, model)).toBe(expected),
);

describe('R-89 parsing and writing JSON keeps every digit', () => {
  test.each([
    '{"a":9007199254740993,"b":[1e400,-0.0,91.40]}',
    '[[],{},"x\\"y",true,null]',
    '{"a":{"b":"é \\n"}}',
  ])('%s', (text) => {
    const value = readAttributeJson(text);
    expect(value).toBeDefined();
    expect(writeJson(value ?? null)).toBe(text);
  });

  test.each([
    [' {"a": 1.0} ', '{"a": 1.0}'],
    ['plain', '"plain"'],
    ['{broken', '"{broken"'],
    ['"{\\"a\\":1}"', '{"a":1}'],
    ['"quoted"', '"quoted"'],
    ['42', '"42"'],
  ])('%s goes into a turn as %s', (text, expected) => expect(embedJson(text)).toBe(expected));

  test('R-90 text that nests too deep stays text', () => {
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
    expect(embedJson(deep)).toBe(JSON.stringify(deep));
    expect(readAttributeJson(deep)).toBeUndefined();
  });
});
