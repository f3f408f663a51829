// The format of a reply on each provider's API, whole or as a stream, as in the vendors'
// references: OpenAI chat completions and responses (Ollama and others copy the first), Anthropic
// messages, Gemini generateContent, Ollama's own chat.

/**
 * @typedef {object} ScriptedOutput output of a scripted model
 * @property {string} [text]
 * @property {readonly { readonly id: string, readonly name: string, readonly arguments: string }[]}
 * [toolCalls]
 * @property {{ readonly input: number, readonly output: number }} [usage] tokens
 * @property {string} [stop] finish reason in the API's own vocabulary; `stop` or `tool_calls` by
 * default
 */

/** @typedef {'chat' | 'responses' | 'anthropic' | 'gemini' | 'ollama' | Embedder} Wire */
/** @typedef {'embeddings' | 'geminiEmbeddings' | 'ollamaEmbeddings'} Embedder */

/**
 * @typedef {object} Question the parts of a request that affect the format of its reply
 * @property {string} id of the reply
 * @property {string} model
 * @property {boolean} stream
 * @property {boolean} jsonTool whether Anthropic must answer through the tool `json`
 */

const created = 1_767_225_600;
const pieceLength = 7;

/** @param {string} path of the request, without its query @returns {Wire | null} */
export function wireOf(path) {
  if (path.endsWith('/chat/completions')) return 'chat';
  if (path.endsWith('/responses')) return 'responses';
  if (path.endsWith('/messages')) return 'anthropic';
  if (/:(?:stream)?generateContent$/i.test(path)) return 'gemini';
  if (path.endsWith('/embeddings')) return 'embeddings';
  if (path.endsWith(':batchEmbedContents')) return 'geminiEmbeddings';
  if (path.endsWith('/api/embed')) return 'ollamaEmbeddings';
  return path.endsWith('/api/chat') ? 'ollama' : null;
}

/**
 * A reply in the format of its API: its content type, and the parts in which it is sent (a single
 * one unless it is a stream).
 * @param {Wire} wire @param {Question} question @param {ScriptedOutput} reply
 * @returns {{ type: string, parts: string[] }}
 */
export function inWire(wire, question, reply) {
  const { whole, streamed } = forms[wire];
  if (!question.stream)
    return { type: 'application/json', parts: [JSON.stringify(whole(question, reply))] };
  return {
    type: wire === 'ollama' ? 'application/x-ndjson' : 'text/event-stream',
    parts: streamed(question, reply),
  };
}

/** @param {ScriptedOutput} reply */
const tokens = (reply) => ({ input: reply.usage?.input ?? 10, output: reply.usage?.output ?? 5 });
/** @param {ScriptedOutput} reply */
const toolCalls = (reply) => reply.toolCalls ?? [];
/** @param {ScriptedOutput} reply @returns {string[]} */
const pieces = (reply) =>
  (reply.text ?? '').match(new RegExp(`[\\s\\S]{1,${pieceLength}}`, 'g')) ?? [];
/** @param {object} data */
const event = (data) => `data: ${JSON.stringify(data)}\n\n`;
/** @param {Record<string, unknown> & { type: string }} data */
const named = (data) => `event: ${data.type}\n${event(data)}`;

/** @param {ScriptedOutput} reply */
function chatUsage(reply) {
  const { input, output } = tokens(reply);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

/** @param {ScriptedOutput} reply */
const chatCalls = (reply) =>
  toolCalls(reply).map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
/** @param {ScriptedOutput} reply */
const chatStop = (reply) => reply.stop ?? (toolCalls(reply).length > 0 ? 'tool_calls' : 'stop');

/** @param {Question} question @param {ScriptedOutput} reply */
function chat({ id, model }, reply) {
  const calls = chatCalls(reply);
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    refusal: null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: chatStop(reply) }];
  return { id, object: 'chat.completion', created, model, choices, usage: chatUsage(reply) };
}

/**
 * Sends text in pieces, and each call in two parts: name, then arguments. The last chunk before the
 * end contains the usage. @param {Question} question @param {ScriptedOutput} reply
 */
function chatStream({ id, model }, reply) {
  /** @param {object[]} choices @param {object | null} usage */
  const chunk = (choices, usage) =>
    event({ id, object: 'chat.completion.chunk', created, model, choices, usage });
  /** @param {object} delta @param {string | null} [reason] */
  const part = (delta, reason = null) => chunk([{ index: 0, delta, finish_reason: reason }], null);
  return [
    part({ role: 'assistant', content: reply.text === undefined ? null : '' }),
    ...pieces(reply).map((content) => part({ content })),
    ...chatCalls(reply).flatMap((call, index) => [
      part({ tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }] }),
      part({ tool_calls: [{ index, function: { arguments: call.function.arguments } }] }),
    ]),
    part({}, chatStop(reply)),
    chunk([], chatUsage(reply)),
    'data: [DONE]\n\n',
  ];
}

/** @param {Question} question @param {ScriptedOutput} reply */
function responses({ id, model }, reply) {
  const { input, output } = tokens(reply);
  const content = [{ type: 'output_text', text: reply.text ?? '', annotations: [] }];
  return {
    id,
    object: 'response',
    created_at: created,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model,
    output: [
      ...(reply.text === undefined
        ? []
        : [{ type: 'message', id: `msg_${id}`, status: 'completed', role: 'assistant', content }]),
      ...toolCalls(reply).map((call) => ({
        type: 'function_call',
        id: `fc_${call.id}`,
        call_id: call.id,
        name: call.name,
        arguments: call.arguments,
        status: 'completed',
      })),
    ],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

/** @param {Question} question @param {ScriptedOutput} reply */
function responsesStream(question, reply) {
  const whole = responses(question, reply);
  const item = {
    type: 'message',
    id: `msg_${question.id}`,
    status: 'in_progress',
    role: 'assistant',
    content: [],
  };
  const at = { item_id: item.id, output_index: 0, content_index: 0 };
  return [
    named({
      type: 'response.created',
      response: { ...whole, status: 'in_progress', output: [], usage: null },
    }),
    named({ type: 'response.output_item.added', output_index: 0, item }),
    ...pieces(reply).map((delta) => named({ type: 'response.output_text.delta', ...at, delta })),
    named({ type: 'response.output_item.done', output_index: 0, item: whole.output[0] ?? item }),
    named({ type: 'response.completed', response: whole }),
  ];
}

/** @param {Question} question @param {ScriptedOutput} reply */
function anthropicBlocks({ jsonTool }, reply) {
  const calls = toolCalls(reply).map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: JSON.parse(call.arguments),
  }));
  if (reply.text === undefined) return calls;
  // The body is assembled as text: a judge's reply may be invalid JSON, and must be sent as
  // scripted.
  const first = jsonTool
    ? { type: 'tool_use', id: 'toolu_json', name: 'json', input: rawMark }
    : { type: 'text', text: reply.text };
  return [first, ...calls];
}

const rawMark = '\u0001raw\u0001';

/** @param {Question} question @param {ScriptedOutput} reply */
const anthropicStop = (question, reply) =>
  reply.stop ?? (toolCalls(reply).length > 0 || question.jsonTool ? 'tool_use' : 'end_turn');

/** @param {Question} question @param {ScriptedOutput} reply */
function anthropic(question, reply) {
  const { input, output } = tokens(reply);
  return {
    id: question.id,
    type: 'message',
    role: 'assistant',
    model: question.model,
    content: anthropicBlocks(question, reply),
    stop_reason: anthropicStop(question, reply),
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  };
}

/**
 * Inserts the input of the tool `json` as text, since `JSON.stringify` could not write it.
 * @param {string} body @param {ScriptedOutput} reply
 */
export function withRawInput(body, reply) {
  return body.replace(JSON.stringify(rawMark), () => reply.text ?? '{}');
}

/** @param {Question} question @param {ScriptedOutput} reply */
function anthropicStream(question, reply) {
  const { input, output } = tokens(reply);
  const start = {
    ...anthropic(question, reply),
    content: [],
    stop_reason: null,
    usage: { input_tokens: input, output_tokens: 1 },
  };
  const first = question.jsonTool
    ? { type: 'tool_use', id: 'toolu_json', name: 'json', input: {} }
    : { type: 'text', text: '' };
  const calls = toolCalls(reply);
  /** @param {number} index @param {object} block @param {object[]} deltas */
  const sent = (index, block, deltas) => [
    named({ type: 'content_block_start', index, content_block: block }),
    ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
    named({ type: 'content_block_stop', index }),
  ];
  /** @param {string} piece */
  const delta = (piece) =>
    question.jsonTool
      ? { type: 'input_json_delta', partial_json: piece }
      : { type: 'text_delta', text: piece };
  const hasFirst = reply.text !== undefined || calls.length === 0;
  return [
    named({ type: 'message_start', message: start }),
    ...(hasFirst ? sent(0, first, pieces(reply).map(delta)) : []),
    ...calls.flatMap(({ id, name, arguments: json }, at) =>
      sent(at + (hasFirst ? 1 : 0), { type: 'tool_use', id, name, input: {} }, [
        { type: 'input_json_delta', partial_json: json },
      ]),
    ),
    named({
      type: 'message_delta',
      delta: { stop_reason: anthropicStop(question, reply), stop_sequence: null },
      usage: { output_tokens: output },
    }),
    named({ type: 'message_stop' }),
  ];
}

/**
 * @param {Question} question @param {ScriptedOutput} reply @param {string} [text] @param {boolean} [ends]
 */
function gemini({ model }, reply, text = reply.text, ends = true) {
  const { input, output } = tokens(reply);
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...toolCalls(reply).map((call) => ({
      functionCall: { name: call.name, args: JSON.parse(call.arguments) },
    })),
  ];
  return {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts },
        ...(ends ? { finishReason: reply.stop ?? 'STOP' } : {}),
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
    modelVersion: model,
  };
}

/**
 * Only the last object has the calls and a finish reason. @param {Question} question @param {ScriptedOutput}
 * reply
 */
const geminiStream = (question, reply) => [
  ...pieces(reply).map((piece) =>
    event(gemini(question, { ...reply, toolCalls: [] }, piece, false)),
  ),
  event(gemini(question, reply, reply.text === undefined ? undefined : '')),
];

/**
 * @param {Question} question @param {ScriptedOutput} reply @param {string} [content] @param {boolean} [done]
 */
function ollama({ model }, reply, content = reply.text ?? '', done = true) {
  const { input, output } = tokens(reply);
  const calls = toolCalls(reply).map((call) => ({
    function: { name: call.name, arguments: JSON.parse(call.arguments) },
  }));
  return {
    model,
    created_at: new Date(created * 1000).toISOString(),
    message: { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
    done,
    ...(done
      ? { done_reason: reply.stop ?? 'stop', prompt_eval_count: input, eval_count: output }
      : {}),
  };
}

/** @param {Question} question @param {ScriptedOutput} reply */
const ollamaStream = (question, reply) => [
  ...pieces(reply).map(
    (piece) => `${JSON.stringify(ollama(question, { ...reply, toolCalls: [] }, piece, false))}\n`,
  ),
  `${JSON.stringify(ollama(question, reply, ''))}\n`,
];

const vector = [0.25, -0.5, 1];

/** @param {Question} question @param {ScriptedOutput} reply */
function embeddings({ model }, reply) {
  const { input } = tokens(reply);
  return {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: vector }],
    model,
    usage: { prompt_tokens: input, total_tokens: input },
  };
}

/** @param {Question} question @param {ScriptedOutput} reply */
const ollamaEmbeddings = ({ model }, reply) => ({
  model,
  embeddings: [vector],
  prompt_eval_count: tokens(reply).input,
});

/** Embeddings do not stream. @param {(question: Question, reply: ScriptedOutput) => object} whole */
const inOnePiece = (whole) => ({
  whole,
  /** @param {Question} question @param {ScriptedOutput} reply */
  streamed: (question, reply) => [JSON.stringify(whole(question, reply))],
});

/**
 * @type {Record<Wire, { whole: (question: Question, reply: ScriptedOutput) => object, streamed: (question:
 * Question, reply: ScriptedOutput) => string[] }>}
 */
const forms = {
  chat: { whole: chat, streamed: chatStream },
  responses: { whole: responses, streamed: responsesStream },
  anthropic: { whole: anthropic, streamed: anthropicStream },
  gemini: { whole: gemini, streamed: geminiStream },
  ollama: { whole: ollama, streamed: ollamaStream },
  embeddings: inOnePiece(embeddings),
  geminiEmbeddings: inOnePiece(() => ({ embeddings: [{ values: vector }] })),
  ollamaEmbeddings: inOnePiece(ollamaEmbeddings),
};
