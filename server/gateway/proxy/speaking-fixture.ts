import type { GatewayDialect } from '../../domain';

/** Model answers of each API for tests, as a whole body or as the pieces of a stream. */

const event = (data: { readonly type?: string }): string =>
  `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;

const thirds = (text: string): string[] => {
  const third = Math.ceil(text.length / 3);
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)].filter(
    (piece) => piece !== '',
  );
};

const geminiPiece = (text: string, finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 20 },
  modelVersion: 'gemini-2.5-flash',
});

const ollamaLine = (content: string, done: boolean) => ({
  model: 'llama3.2',
  message: { role: 'assistant', content },
  done,
  ...(done ? { done_reason: 'stop', prompt_eval_count: 9, eval_count: 20 } : {}),
});

/** `asTool`: as the input of Anthropic's answer tool. */
export function spokenBody(dialect: GatewayDialect, text: string, asTool = false): string {
  if (dialect === 'chat') {
    return JSON.stringify({
      id: 'c',
      model: 'gpt-4o',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    });
  }
  if (dialect === 'responses') {
    const output = [
      { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text }] },
    ];
    return JSON.stringify({
      id: 'r',
      object: 'response',
      status: 'completed',
      model: 'gpt-4o',
      output,
    });
  }
  if (dialect === 'gemini') return JSON.stringify(geminiPiece(text, 'STOP'));
  if (dialect === 'ollama') return JSON.stringify(ollamaLine(text, true));
  const block = asTool
    ? `{"type":"tool_use","id":"tu","name":"deliver_answer","input":${text}}`
    : JSON.stringify({ type: 'text', text });
  return `{"id":"m","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[${block}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":9}}`;
}

/** Pieces before the first token, with the text, and after it. */
export function spokenPieces(
  dialect: GatewayDialect,
  text: string,
  asTool = false,
): { before: string[]; pieces: string[]; after: string[] } {
  if (dialect === 'chat') {
    const part = (delta: object, finish_reason: string | null = null): string =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'gpt-4o', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    return {
      before: [part({ role: 'assistant', content: '' })],
      pieces: thirds(text).map((content) => part({ content })),
      after: [part({}, 'stop'), 'data: [DONE]\n\n'],
    };
  }
  if (dialect === 'responses') {
    const at = { item_id: 'm', output_index: 0, content_index: 0 };
    const response = JSON.parse(spokenBody('responses', text)) as object;
    return {
      before: [
        event({
          type: 'response.created',
          response: { id: 'r', model: 'gpt-4o', status: 'in_progress' },
        } as object),
      ],
      pieces: thirds(text).map((delta) =>
        event({ type: 'response.output_text.delta', ...at, delta } as object),
      ),
      after: [
        event({ type: 'response.output_text.done', ...at, text } as object),
        event({ type: 'response.completed', response } as object),
      ],
    };
  }
  if (dialect === 'gemini')
    return {
      before: [],
      pieces: thirds(text).map((piece) => event(geminiPiece(piece) as object)),
      after: [event(geminiPiece('', 'STOP') as object)],
    };
  if (dialect === 'ollama') {
    const line = (content: string, done: boolean): string =>
      `${JSON.stringify(ollamaLine(content, done))}\n`;
    return {
      before: [line('', false)],
      pieces: thirds(text).map((piece) => line(piece, false)),
      after: [line('', true)],
    };
  }
  return messagesPieces(text, asTool);
}

function messagesPieces(text: string, asTool: boolean): ReturnType<typeof spokenPieces> {
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    usage: { input_tokens: 9, output_tokens: 1 },
  };
  const block = asTool
    ? { type: 'tool_use', id: 'tu', name: 'deliver_answer', input: {} }
    : { type: 'text', text: '' };
  const begins = event({ type: 'content_block_start', index: 0, content_block: block } as object);
  const pieces = thirds(text).map((piece) =>
    event({
      type: 'content_block_delta',
      index: 0,
      delta: asTool
        ? { type: 'input_json_delta', partial_json: piece }
        : { type: 'text_delta', text: piece },
    } as object),
  );
  const stop = event({
    type: 'message_delta',
    delta: { stop_reason: asTool ? 'tool_use' : 'end_turn' },
    usage: { output_tokens: 20 },
  } as object);
  return {
    before: [event({ type: 'message_start', message } as object), event({ type: 'ping' })],
    pieces: [begins, ...pieces],
    after: [
      event({ type: 'content_block_stop', index: 0 } as object),
      stop,
      event({ type: 'message_stop' }),
    ],
  };
}
