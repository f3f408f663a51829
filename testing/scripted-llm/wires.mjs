// The format of a reply on each provider's API, whole or as a stream, as in the vendors'
// references: OpenAI chat completions and responses (Ollama and others copy the first), Anthropic
// messages, Gemini generateContent, Ollama's own chat.

/**
 * @typedef {object} Said output of a scripted model
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
 * @param {Wire} wire @param {Question} question @param {Said} said
 * @returns {{ type: string, parts: string[] }}
 */
export function inWire(wire, question, said) {
  const { whole, streamed } = forms[wire];
  if (!question.stream)
    return { type: 'application/json', parts: [JSON.stringify(whole(question, said))] };
  return {
    type: wire === 'ollama' ? 'application/x-ndjson' : 'text/event-stream',
    parts: streamed(question, said),
  };
}

/** @param {Said} said */
const tokens = (said) => ({ input: said.usage?.input ?? 10, output: said.usage?.output ?? 5 });
/** @param {Said} said */
const toolCalls = (said) => said.toolCalls ?? [];
/** @param {Said} said @returns {string[]} */
const pieces = (said) =>
  (said.text ?? '').match(new RegExp(`[\\s\\S]{1,${pieceLength}}`, 'g')) ?? [];
/** @param {object} data */
const event = (data) => `data: ${JSON.stringify(data)}\n\n`;
/** @param {Record<string, unknown> & { type: string }} data */
const named = (data) => `event: ${data.type}\n${event(data)}`;

/** @param {Said} said */
function chatUsage(said) {
  const { input, output } = tokens(said);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

/** @param {Said} said */
const chatCalls = (said) =>
  toolCalls(said).map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
/** @param {Said} said */
const chatStop = (said) => said.stop ?? (toolCalls(said).length > 0 ? 'tool_calls' : 'stop');

/** @param {Question} question @param {Said} said */
function chat({ id, model }, said) {
  const calls = chatCalls(said);
  const message = {
    role: 'assistant',
    content: said.text ?? null,
    refusal: null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: chatStop(said) }];
  return { id, object: 'chat.completion', created, model, choices, usage: chatUsage(said) };
}

/**
 * Sends text in pieces, and each call in two parts: name, then arguments. The last chunk before the
 * end contains the usage. @param {Question} question @param {Said} said
 */
function chatStream({ id, model }, said) {
  /** @param {object[]} choices @param {object | null} usage */
  const chunk = (choices, usage) =>
    event({ id, object: 'chat.completion.chunk', created, model, choices, usage });
  /** @param {object} delta @param {string | null} [reason] */
  const part = (delta, reason = null) => chunk([{ index: 0, delta, finish_reason: reason }], null);
  return [
    part({ role: 'assistant', content: said.text === undefined ? null : '' }),
    ...pieces(said).map((content) => part({ content })),
    ...chatCalls(said).flatMap((call, index) => [
      part({ tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }] }),
      part({ tool_calls: [{ index, function: { arguments: call.function.arguments } }] }),
    ]),
    part({}, chatStop(said)),
    chunk([], chatUsage(said)),
    'data: [DONE]\n\n',
  ];
}

/** @param {Question} question @param {Said} said */
function responses({ id, model }, said) {
  const { input, output } = tokens(said);
  const content = [{ type: 'output_text', text: said.text ?? '', annotations: [] }];
  return {
    id,
    object: 'response',
    created_at: created,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model,
    output: [
      ...(said.text === undefined
        ? []
        : [{ type: 'message', id: `msg_${id}`, status: 'completed', role: 'assistant', content }]),
      ...toolCalls(said).map((call) => ({
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

/** @param {Question} question @param {Said} said */
function responsesStream(question, said) {
  const whole = responses(question, said);
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
    ...pieces(said).map((delta) => named({ type: 'response.output_text.delta', ...at, delta })),
    named({ type: 'response.output_item.done', output_index: 0, item: whole.output[0] ?? item }),
    named({ type: 'response.completed', response: whole }),
  ];
}

/** @param {Question} question @param {Said} said */
function anthropicBlocks({ jsonTool }, said) {
  const calls = toolCalls(said).map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: JSON.parse(call.arguments),
  }));
  if (said.text === undefined) return calls;
  // The body is assembled as text: a judge's reply may be invalid JSON, and must be sent as
  // scripted.
  const first = jsonTool
    ? { type: 'tool_use', id: 'toolu_json', name: 'json', input: rawMark }
    : { type: 'text', text: said.text };
  return [first, ...calls];
}

const rawMark = '\u0001raw\u0001';

/** @param {Question} question @param {Said} said */
const anthropicStop = (question, said) =>
  said.stop ?? (toolCalls(said).length > 0 || question.jsonTool ? 'tool_use' : 'end_turn');

/** @param {Question} question @param {Said} said */
function anthropic(question, said) {
  const { input, output } = tokens(said);
  return {
    id: question.id,
    type: 'message',
    role: 'assistant',
    model: question.model,
    content: anthropicBlocks(question, said),
    stop_reason: anthropicStop(question, said),
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  };
}

/**
 * Inserts the input of the tool `json` as text, since `JSON.stringify` could not write it.
 * @param {string} body @param {Said} said
 */
export function withRawInput(body, said) {
  return body.replace(JSON.stringify(rawMark), () => said.text ?? '{}');
}

/** @param {Question} question @param {Said} said */
function anthropicStream(question, said) {
  const { input, output } = tokens(said);
  const start = {
    ...anthropic(question, said),
    content: [],
    stop_reason: null,
    usage: { input_tokens: input, output_tokens: 1 },
  };
  const first = question.jsonTool
    ? { type: 'tool_use', id: 'toolu_json', name: 'json', input: {} }
    : { type: 'text', text: '' };
  const calls = toolCalls(said);
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
  const hasFirst = said.text !== undefined || calls.length === 0;
  return [
    named({ type: 'message_start', message: start }),
    ...(hasFirst ? sent(0, first, pieces(said).map(delta)) : []),
    ...calls.flatMap(({ id, name, arguments: json }, at) =>
      sent(at + (hasFirst ? 1 : 0), { type: 'tool_use', id, name, input: {} }, [
        { type: 'input_json_delta', partial_json: json },
      ]),
    ),
    named({
      type: 'message_delta',
      delta: { stop_reason: anthropicStop(question, said), stop_sequence: null },
      usage: { output_tokens: output },
    }),
    named({ type: 'message_stop' }),
  ];
}

/**
 * @param {Question} question @param {Said} said @param {string} [text] @param {boolean} [ends]
 */
function gemini({ model }, said, text = said.text, ends = true) {
  const { input, output } = tokens(said);
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...toolCalls(said).map((call) => ({
      functionCall: { name: call.name, args: JSON.parse(call.arguments) },
    })),
  ];
  return {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts },
        ...(ends ? { finishReason: said.stop ?? 'STOP' } : {}),
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
 * Only the last object has the calls and a finish reason. @param {Question} question @param {Said}
 * said
 */
const geminiStream = (question, said) => [
  ...pieces(said).map((piece) => event(gemini(question, { ...said, toolCalls: [] }, piece, false))),
  event(gemini(question, said, said.text === undefined ? undefined : '')),
];

/**
 * @param {Question} question @param {Said} said @param {string} [content] @param {boolean} [done]
 */
function ollama({ model }, said, content = said.text ?? '', done = true) {
  const { input, output } = tokens(said);
  const calls = toolCalls(said).map((call) => ({
    function: { name: call.name, arguments: JSON.parse(call.arguments) },
  }));
  return {
    model,
    created_at: new Date(created * 1000).toISOString(),
    message: { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
    done,
    ...(done
      ? { done_reason: said.stop ?? 'stop', prompt_eval_count: input, eval_count: output }
      : {}),
  };
}

/** @param {Question} question @param {Said} said */
const ollamaStream = (question, said) => [
  ...pieces(said).map(
    (piece) => `${JSON.stringify(ollama(question, { ...said, toolCalls: [] }, piece, false))}\n`,
  ),
  `${JSON.stringify(ollama(question, said, ''))}\n`,
];

const vector = [0.25, -0.5, 1];

/** @param {Question} question @param {Said} said */
function embeddings({ model }, said) {
  const { input } = tokens(said);
  return {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: vector }],
    model,
    usage: { prompt_tokens: input, total_tokens: input },
  };
}

/** @param {Question} question @param {Said} said */
const ollamaEmbeddings = ({ model }, said) => ({
  model,
  embeddings: [vector],
  prompt_eval_count: tokens(said).input,
});

/** Embeddings do not stream. @param {(question: Question, said: Said) => object} whole */
const inOnePiece = (whole) => ({
  whole,
  /** @param {Question} question @param {Said} said */
  streamed: (question, said) => [JSON.stringify(whole(question, said))],
});

/**
 * @type {Record<Wire, { whole: (question: Question, said: Said) => object, streamed: (question:
 * Question, said: Said) => string[] }>}
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
