/** Attributes of the spans of a trace, by the convention of the client that sends them. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

const inputMessages = JSON.stringify([
  { role: 'system', parts: [{ type: 'text', content: 'You help.' }] },
  { role: 'user', parts: [{ type: 'text', content: 'How full is web-1?' }] },
  {
    role: 'assistant',
    parts: [{ type: 'tool_call', id: 'c1', name: 'disk', arguments: { host: 'web-1' } }],
  },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { pct: 91.4 } }] },
]);
const answered = JSON.stringify([
  { role: 'assistant', parts: [{ type: 'text', content: 'web-1 is at 91.4%.' }] },
]);
const chat = JSON.stringify([
  { role: 'user', content: [{ type: 'text', text: 'How full is web-1?' }] },
  {
    role: 'assistant',
    tool_calls: [{ id: 'c1', function: { name: 'disk', arguments: '{"host":"web-1"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: '{"pct":91.4}' },
]);

export const spanAttributes: readonly (readonly Attributes[])[] = [
  [
    { 'gen_ai.operation.name': 'invoke_agent', 'session.id': 's-1', 'gen_ai.agent.name': 'a' },
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.model': 'gpt-4o-2024',
      'gen_ai.usage.input_tokens': 90,
      'gen_ai.usage.output_tokens': 12,
      'gen_ai.usage.cache_read.input_tokens': 5,
      'gen_ai.input.messages': inputMessages,
      'gen_ai.output.messages': answered,
      'gen_ai.conversation.id': 'conversation-1',
    },
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'disk',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.call.arguments': '{"host":"web-1"}',
      'gen_ai.tool.call.result': '{"pct":91.4}',
    },
  ],
  [
    { 'openinference.span.kind': 'CHAIN', 'input.value': 'How full?', 'output.value': '91.4%' },
    {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'llm.token_count.prompt': 90,
      'llm.token_count.completion': 12,
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'How full is web-1?',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'It is 91.4%.',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'disk',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"a":1}',
      metadata: '{"session":"s-1"}',
    },
    {
      'openinference.span.kind': 'RETRIEVER',
      'retrieval.documents.0.document.id': 'd1',
      'retrieval.documents.0.document.content': 'web-1 is at 91.4%',
      'retrieval.documents.0.document.metadata': '{"page":1}',
    },
  ],
  [
    { 'langfuse.trace.name': 'a', 'langfuse.trace.tags': '["x"]', 'langfuse.session.id': 's' },
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-4o',
      'langfuse.observation.input': chat,
      'langfuse.observation.output': '{"role":"assistant","content":"It is 91.4%."}',
      'langfuse.observation.usage_details': '{"input":90,"output":12}',
      'langfuse.observation.cost_details': '{"total":0.01}',
      'langfuse.observation.metadata.a': '{"b":[1]}',
    },
  ],
  [
    { 'traceloop.span.kind': 'workflow', 'traceloop.entity.input': '{"inputs":{"q":"a"}}' },
    {
      'llm.request.type': 'chat',
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': 'How full is web-1?',
      'gen_ai.prompt.1.tool_calls.0.name': 'disk',
      'gen_ai.completion.0.content': 'It is 91.4%.',
      'gen_ai.completion.0.tool_calls.0.arguments': '{"host":"web-1"}',
      'llm.usage.total_tokens': 102,
    },
  ],
  [
    {
      'ai.operationId': 'ai.generateText',
      'ai.prompt': '{"messages":[]}',
      'ai.response.text': 'a',
    },
    {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.id': 'gpt-4o',
      'ai.prompt.messages': chat,
      'ai.response.text': 'It is 91.4%.',
      'ai.response.toolCalls': '[{"toolCallId":"c1","toolName":"disk","args":"{}"}]',
      'ai.usage.promptTokens': 90,
    },
    {
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 'disk',
      'ai.toolCall.id': 'c1',
      'ai.toolCall.args': '{"host":"web-1"}',
      'ai.toolCall.result': '{"pct":91.4}',
    },
  ],
  [
    { 'langsmith.span.kind': 'llm', 'gen_ai.prompt': chat, 'gen_ai.completion': answered },
    { 'langwatch.span.type': 'llm', 'langwatch.input': chat, 'langwatch.output': '{"value":"a"}' },
    { 'lmnr.span.input': chat, 'lmnr.span.output': '"It is 91.4%."', 'lmnr.span.type': 'LLM' },
    { 'genkit:type': 'action', 'genkit:input': '{"messages":[]}', 'genkit:output': '{"a":1}' },
    { 'assay.kind': 'answer', 'assay.output': 'It is 91.4%.', 'assay.sources': '[{"id":"a"}]' },
  ],
];
