/** Valid requests, answers and events of each model API that the gateway reads. */
export interface ModelApi {
  /** Below `/gateway`, where the first segment is the route: a provider's name. */
  readonly path: string;
  readonly requests: readonly unknown[];
  readonly answers: readonly unknown[];
  readonly stream: readonly unknown[];
}

const ask = 'How full is web-1?';
const answerText = 'web-1 is 91.4 % full — "quoted" 😀.';
const fn = { name: 'disk', description: 'd', parameters: { type: 'object', properties: {} } };
const chatCall = {
  id: 'c1',
  type: 'function',
  function: { name: 'disk', arguments: '{"host":"web-1"}' },
};
const toolUse = { type: 'tool_use', id: 'c1', name: 'disk', input: { host: 'web-1' } };
const functionCall = { functionCall: { name: 'disk', args: { host: 'web-1' } } };

const chat: ModelApi = {
  path: 'openai/v1/chat/completions',
  requests: [
    { model: 'gpt-4o', messages: [{ role: 'user', content: ask }] },
    {
      model: 'gpt-4o',
      stream: true,
      user: 's-1',
      metadata: { session_id: 's-1' },
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: fn }],
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } },
      messages: [
        { role: 'system', content: 'You help.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: ask },
            { type: 'image_url', image_url: { url: 'data:' } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [chatCall] },
        { role: 'tool', tool_call_id: 'c1', content: '{"disk_pct":91.40}' },
      ],
    },
  ],
  answers: [
    {
      id: 'x',
      model: 'gpt-4o',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: answerText, tool_calls: [chatCall] },
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 1,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 1 },
      },
    },
  ],
  stream: [
    { model: 'gpt-4o', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    { model: 'gpt-4o', choices: [{ index: 0, delta: { content: 'web-1 is 91.4' } }] },
    { model: 'gpt-4o', choices: [{ index: 0, delta: { content: ' % full 😀.' } }] },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...chatCall }] } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
  ],
};

const responses: ModelApi = {
  path: 'openai/v1/responses',
  requests: [
    { model: 'gpt-4o', input: ask },
    {
      model: 'gpt-4o',
      stream: true,
      instructions: 'You help.',
      metadata: { session_id: 's-1' },
      tools: [{ type: 'function', ...fn }],
      text: { format: { type: 'text' } },
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: ask }] },
        { type: 'function_call', call_id: 'c1', name: 'disk', arguments: '{"host":"web-1"}' },
        { type: 'function_call_output', call_id: 'c1', output: '{"disk_pct":91.40}' },
      ],
    },
  ],
  answers: [
    {
      id: 'resp_1',
      model: 'gpt-4o',
      status: 'completed',
      output: [
        { type: 'reasoning', summary: [] },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: answerText }],
        },
        { type: 'function_call', call_id: 'c1', name: 'disk', arguments: '{}' },
      ],
      usage: { input_tokens: 1, output_tokens: 2, output_tokens_details: { reasoning_tokens: 1 } },
    },
  ],
  stream: [
    { type: 'response.created', response: { id: 'resp_1', model: 'gpt-4o' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: answerText },
    { type: 'response.output_text.done', output_index: 0, content_index: 0, text: answerText },
    {
      type: 'response.completed',
      response: {
        model: 'gpt-4o',
        output: [{ type: 'message', content: [{ type: 'output_text', text: answerText }] }],
        usage: { input_tokens: 3 },
      },
    },
  ],
};

const messages: ModelApi = {
  path: 'anthropic/v1/messages',
  requests: [
    { model: 'claude-x', max_tokens: 100, messages: [{ role: 'user', content: ask }] },
    {
      model: 'claude-x',
      max_tokens: 100,
      stream: true,
      system: [{ type: 'text', text: 'You help.', cache_control: { type: 'ephemeral' } }],
      metadata: { user_id: 'u_session_1' },
      tools: [{ name: 'disk', input_schema: { type: 'object' } }],
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              title: 'd',
              source: { type: 'text', media_type: 'text/plain', data: 'It is 5 %.' },
            },
            { type: 'text', text: ask },
          ],
        },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }, toolUse] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c1',
              content: [{ type: 'text', text: '{"disk_pct":91.40}' }],
            },
          ],
        },
      ],
    },
  ],
  answers: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'text', text: answerText }, toolUse],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3 },
    },
  ],
  stream: [
    { type: 'message_start', message: { model: 'claude-x', usage: { input_tokens: 4 } } },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answerText } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { ...toolUse, input: {} } },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"host":1}' },
    },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ],
};

const gemini: ModelApi = {
  path: 'google/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
  requests: [
    { contents: [{ role: 'user', parts: [{ text: ask }] }] },
    {
      systemInstruction: { parts: [{ text: 'You help.' }] },
      tools: [{ functionDeclarations: [{ name: 'disk' }] }],
      generationConfig: { responseMimeType: 'application/json', candidateCount: 1 },
      contents: [
        { role: 'user', parts: [{ text: ask }, { inlineData: { data: 'AA==' } }] },
        { role: 'model', parts: [{ text: 'Hm.', thought: true }, functionCall] },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'disk', response: { disk_pct: 91.4 } } }],
        },
      ],
    },
  ],
  answers: [
    {
      candidates: [
        { content: { role: 'model', parts: [{ text: answerText }] }, finishReason: 'STOP' },
      ],
      modelVersion: 'gemini-x',
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
    },
  ],
  stream: [
    {
      candidates: [{ content: { role: 'model', parts: [{ text: answerText }] } }],
      modelVersion: 'm',
    },
    { candidates: [{ content: { parts: [functionCall] }, finishReason: 'STOP' }] },
    { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 } },
  ],
};

const ollama: ModelApi = {
  path: 'ollama/api/chat',
  requests: [
    { model: 'llama', messages: [{ role: 'user', content: ask }] },
    {
      model: 'llama',
      stream: false,
      format: 'json',
      options: { temperature: 0 },
      messages: [
        { role: 'user', content: ask, images: ['AA=='] },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ function: { name: 'f', arguments: {} } }],
        },
        { role: 'tool', tool_name: 'f', content: '{"disk_pct":91.40}' },
      ],
    },
  ],
  answers: [
    {
      model: 'llama',
      message: { role: 'assistant', content: answerText },
      done: true,
      prompt_eval_count: 1,
      eval_count: 2,
    },
  ],
  stream: [
    { model: 'llama', message: { role: 'assistant', content: answerText }, done: false },
    { message: { content: '', tool_calls: [{ function: { name: 'f', arguments: { a: 1.5 } } }] } },
    { model: 'llama', done: true, prompt_eval_count: 1, eval_count: 2 },
  ],
};

const embeddings: ModelApi = {
  path: 'openai/v1/embeddings',
  requests: [{ model: 'embed', input: [ask, answerText], encoding_format: 'float', user: 's-1' }],
  answers: [
    {
      object: 'list',
      model: 'embed',
      data: [{ index: 0, embedding: [0.1, -1] }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    },
    { model: 'embed', embeddings: [[0.1]], prompt_eval_count: 1 },
  ],
  stream: [{ model: 'embed', data: [] }],
};

export const modelApis = { chat, responses, messages, gemini, ollama, embeddings } as const;
