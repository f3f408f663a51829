// Answers of the mock upstream: fixed bytes, so that every byte of a proxy's answer can be checked.

/** @typedef {'openai' | 'anthropic'} Wire */

export const model = 'mock-1';
const jsonBytes = 763;
/** Content chunks of a stream. */
export const chunkCount = 64;

/**
 * @param {Wire} wire
 * @param {string} text
 * @returns {object} a whole answer in the format of its API
 */
function wholeAnswer(wire, text) {
  return wire === 'openai'
    ? {
        id: 'chatcmpl-mock',
        object: 'chat.completion',
        created: 1_700_000_000,
        model,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: text, refusal: null },
            logprobs: null,
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 400, completion_tokens: 120, total_tokens: 520 },
        system_fingerprint: 'fp_mock',
      }
    : {
        id: 'msg_mock',
        type: 'message',
        role: 'assistant',
        model,
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 400, output_tokens: 120 },
      };
}

/**
 * @param {Wire} wire @param {readonly string[]} parts text deltas @returns {Buffer[]} one event
 * each
 */
function frames(wire, parts) {
  if (wire === 'openai') {
    /** @param {object} delta @param {string | null} reason */
    const chunk = (delta, reason) => ({
      id: 'chatcmpl-mock',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const events = [
      ...parts.map((content, n) =>
        chunk(n === 0 ? { role: 'assistant', content } : { content }, null),
      ),
      chunk({}, 'stop'),
    ];
    return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'].map(
      (text) => Buffer.from(text),
    );
  }
  const message = {
    id: 'msg_mock',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  const events = [
    {
      type: 'message_start',
      message: { ...message, usage: { input_tokens: 400, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...parts.map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 120 },
    },
    { type: 'message_stop' },
  ];
  return events.map((event) =>
    Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

const sentence =
  'The quarter closed with a calm harbour and every crate where the ledger says that it is. ';

/** @param {Wire} wire @returns {Buffer} 763 bytes without a figure */
export function jsonAnswer(wire) {
  const empty = Buffer.byteLength(JSON.stringify(wholeAnswer(wire, '')));
  return Buffer.from(
    JSON.stringify(wholeAnswer(wire, sentence.repeat(10).slice(0, jsonBytes - empty))),
  );
}

/** @param {Wire} wire @returns {Buffer[]} 64 content events and their envelope */
export function streamFrames(wire) {
  const words = sentence.trim().split(' ');
  return frames(
    wire,
    Array.from({ length: chunkCount }, (_, n) => `${words[n % words.length] ?? ''} `),
  );
}

/**
 * Tool results: `rows` rows of three figures each. @param {number} rows @returns {{ host:
 * string, disk_pct: number, free_gb: number, requests: number }[]}
 */
export function toolRows(rows) {
  return Array.from({ length: rows }, (_, n) => ({
    host: `web-${n}`,
    disk_pct: ((n * 7_919) % 9_973) / 100,
    free_gb: ((n * 104_729) % 99_991) / 10,
    requests: (n * 15_485_863) % 1_299_709,
  }));
}

/** @returns {string} 100 figures from `toolRows(50)`, and more */
function figuresText() {
  return toolRows(50)
    .map(
      ({ host, disk_pct: disk, free_gb: free }) =>
        `The disk of ${host} is at ${disk}% and ${free} GB are free.`,
    )
    .join('\n');
}

/** @returns {Buffer} a whole answer with 100 figures */
export function figuresAnswer() {
  return Buffer.from(JSON.stringify(wholeAnswer('openai', figuresText())));
}

/** @returns {Buffer[]} the same as a stream of about 256 events */
export function figuresFrames() {
  const text = figuresText();
  const size = Math.ceil(text.length / 256);
  return frames(
    'openai',
    Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
      text.slice(n * size, (n + 1) * size),
    ),
  );
}

/** @returns {Buffer[]} the frames of a verifier that does not steer */
export function verifierFrames() {
  return frames('openai', ['<status>NO_STEERING_NEEDED</status>']);
}
