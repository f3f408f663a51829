// An HTTP server with the APIs of OpenAI (chat and responses), Anthropic, Gemini and Ollama,
// streaming or not. It answers from a queue, by a function, or with a fault. For tests and the
// demo: it is not a model, its output is marked as simulated wherever it is shown, and no product
// code depends on it. Plain Node.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { misbehave } from './faults.mjs';
import { inWire, wireOf, withRawInput } from './wires.mjs';

/**
 * @typedef {import('./wires.mjs').ScriptedOutput & { readonly delayMs?: number, readonly fault?:
 * import('./faults.mjs').Fault }} ScriptedReply The answer to a request: text, or a fault instead
 * of it
 */

/**
 * @typedef {object} ScriptedCall
 * @property {string} path without its query
 * @property {Readonly<Record<string, string>>} headers
 * @property {Record<string, unknown>} body
 * @property {number} at monotonic milliseconds
 * @property {Promise<void>} closed resolves when its connection is closed
 */

/** @typedef {(call: ScriptedCall) => ScriptedReply | Promise<ScriptedReply>} Answer */

/**
 * @typedef {object} ScriptedLlm
 * @property {string} origin `http://127.0.0.1:port`
 * @property {string} baseUrl for `baseURL` of an OpenAI client: the origin and `/v1`
 * @property {readonly Record<string, unknown>[]} requests bodies so far, oldest first
 * @property {readonly ScriptedCall[]} calls
 * @property {(...replies: readonly ScriptedReply[]) => void} queue
 * @property {(answer: Answer | null) => void} answerWith answers requests when the queue is empty;
 * a promise delays the reply
 * @property {() => Promise<ScriptedCall>} nextCall the next request
 * @property {() => Promise<void>} close
 */

/** The model of a reply to a request that names none. */
const scriptedModel = 'gpt-4o';

/**
 * Listens on a port of this machine, any free one by default. A request beyond the script gets a
 * 500. @param {{ port?: number }} [options] @returns {Promise<ScriptedLlm>}
 */
export async function startScriptedLlm({ port = 0 } = {}) {
  /** @type {ScriptedReply[]} */
  const replies = [];
  /** @type {ScriptedCall[]} */
  const calls = [];
  /** @type {Answer | null} */
  let answer = null;
  /** @type {((call: ScriptedCall) => void)[]} */
  const awaited = [];
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });

  /**
   * @param {import('node:http').IncomingMessage} request @param
   * {import('node:http').ServerResponse} response
   */
  async function serve(request, response) {
    const call = await readCall(request, response);
    calls.push(call);
    for (const resolve of awaited.splice(0)) resolve(call);
    const reply = replies.shift() ?? (await answer?.(call)) ?? noMoreReplies;
    if (reply.delayMs !== undefined) await pause(reply.delayMs);
    if (reply.fault === undefined) sendReply(call, reply, response, calls.length);
    else await misbehave(reply.fault, response);
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    calls,
    get requests() {
      return calls.map(({ body }) => body);
    },
    queue: (...more) => void replies.push(...more),
    answerWith(next) {
      answer = next;
    },
    nextCall: () => new Promise((resolve) => awaited.push(resolve)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** @type {ScriptedReply} */
const noMoreReplies = {
  fault: {
    kind: 'status',
    status: 500,
    body: JSON.stringify({
      error: { message: 'the script has no more replies', type: 'server_error', code: null },
    }),
  },
};

/**
 * @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse}
 * response @returns {Promise<ScriptedCall>}
 */
async function readCall(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return {
    path: (request.url ?? '').split('?')[0] ?? '',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'),
    at: performance.now(),
    closed: new Promise((resolve) => response.once('close', () => resolve())),
  };
}

/**
 * @param {ScriptedCall} call @param {ScriptedReply} reply @param
 * {import('node:http').ServerResponse} response @param {number} number
 */
function sendReply({ path, body }, reply, response, number) {
  const wire = wireOf(path);
  if (wire === null) {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'no such route' } }));
    return;
  }
  const named = typeof body.model === 'string' ? body.model : /models\/([^:]+):/.exec(path)?.[1];
  const jsonTool = JSON.stringify(body.tool_choice ?? null).includes('"json"') || isForced(body);
  const stream =
    body.stream === true ||
    (wire === 'ollama' && body.stream !== false) ||
    path.includes('streamGenerate');
  const { type, parts } = inWire(
    wire,
    { id: `chatcmpl-${number}`, model: named ?? scriptedModel, stream, jsonTool },
    reply,
  );
  response.writeHead(200, {
    'content-type': type,
    'cache-control': 'no-cache',
    'x-simulated': 'true',
  });
  for (const part of parts) response.write(withRawInput(part, reply));
  response.end();
}

/**
 * Whether the request forces Anthropic to call a tool, and `json` is its only tool.
 * @param {Record<string, unknown>} body
 */
function isForced(body) {
  const tools = Array.isArray(body.tools) ? body.tools : [];
  return tools.length === 1 && tools[0]?.name === 'json' && body.tool_choice !== undefined;
}
