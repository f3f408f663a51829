/**
 * An HTTP server that speaks the wire format of OpenAI's chat completions, streaming or not, and answers from a queue. For tests
 * with real clients: it is no model, and no product code knows of it.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the next request is answered with. */
export interface ScriptedReply {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly usage?: { readonly input: number; readonly output: number };
}

export interface ScriptedLlm {
  /** For `baseURL` of a client. */
  readonly baseUrl: string;
  /** Bodies of the requests so far, oldest first. */
  readonly requests: readonly Record<string, unknown>[];
  queue(...replies: readonly ScriptedReply[]): void;
  close(): Promise<void>;
}

const scriptedModel = 'gpt-4o';

const CREATED = 1_767_225_600;
const STREAM_PIECE = 7;

/** Listens on a free port of this machine. A request beyond the queue is answered 500. */
export async function startScriptedLlm(): Promise<ScriptedLlm> {
  const replies: ScriptedReply[] = [];
  const requests: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    answer(request, response, replies, requests).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    queue: (...more) => void replies.push(...more),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  replies: ScriptedReply[],
  requests: Record<string, unknown>[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
  requests.push(body);
  const reply = replies.shift();
  const id = `chatcmpl-${requests.length}`;
  if (reply === undefined) {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'the script has no more replies', type: 'server_error', code: null } }));
  } else if (body.stream === true) stream(response, id, reply);
  else {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(completion(id, reply)));
  }
}

function completion(id: string, reply: ScriptedReply): object {
  const calls = toolCalls(reply);
  const message = { role: 'assistant', content: reply.text ?? null, refusal: null, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  return {
    id,
    object: 'chat.completion',
    created: CREATED,
    model: scriptedModel,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(reply) }],
    usage: usageOf(reply),
  };
}

/** Text comes in pieces, each call in two: name, then arguments. The last chunk before the end bears the usage. */
function stream(response: ServerResponse, id: string, reply: ScriptedReply): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (choices: readonly object[], usage: object | null): void => {
    const chunk = { id, object: 'chat.completion.chunk', created: CREATED, model: scriptedModel, choices, usage };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (part: object, reason: string | null = null): void => send([{ index: 0, delta: part, finish_reason: reason }], null);
  delta({ role: 'assistant', content: reply.text === undefined ? null : '' });
  const text = reply.text ?? '';
  for (let at = 0; at < text.length; at += STREAM_PIECE) delta({ content: text.slice(at, at + STREAM_PIECE) });
  toolCalls(reply).forEach((call, index) => {
    delta({ tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }] });
    delta({ tool_calls: [{ index, function: { arguments: call.function.arguments } }] });
  });
  delta({}, finishReason(reply));
  send([], usageOf(reply));
  response.end('data: [DONE]\n\n');
}

function toolCalls(reply: ScriptedReply): { id: string; type: 'function'; function: { name: string; arguments: string } }[] {
  return (reply.toolCalls ?? []).map(({ id, name, arguments: args }) => ({ id, type: 'function', function: { name, arguments: args } }));
}

function finishReason(reply: ScriptedReply): string {
  return (reply.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop';
}

function usageOf({ usage }: ScriptedReply): object {
  const input = usage?.input ?? 10;
  const output = usage?.output ?? 5;
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
