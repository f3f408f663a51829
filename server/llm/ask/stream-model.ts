import { cleanText } from '../../domain';
import type { Ctx } from '../../platform';
import type { CallReport, ModelCall } from './call-model';
import { faultOf, redact } from './fault';
import type { ModelConnections } from './connections';
import { createStreamedText } from './streamed-text';
import { callOptions, type Model } from './model';
import { readTokens } from './read-reply';

type StreamPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never;

/** The state of a stream so far. */
interface Read {
  text: string;
  inputTokens: number | null;
  outputTokens: number | null;
  declined: boolean;
}

/** The stream contained an error of the provider, or ended prematurely. */
class StreamFault extends Error {}

const MESSAGE_CHARS_MAX = 300;

/**
 * Makes one HTTP call to a model and reads the reply as it streams (QV-36): the first token must
 * arrive within `firstTokenMs`, which comments and empty frames do not satisfy, and the complete
 * reply within `timeoutMs`. Never throws for a fault of the model, its provider or the network.
 */
export async function streamModel(
  ctx: Pick<Ctx, 'clock'>,
  connections: ModelConnections,
  call: ModelCall & { readonly firstTokenMs: number | null },
): Promise<CallReport> {
  const { provider, apiKey, request } = call;
  const limits = createLimits(call);
  const address = { kind: provider.kind, baseUrl: provider.baseUrl, apiKey, model: call.model };
  const { model, outgoing } = connections.open(address, provider.origin, limits.signal);
  const { exchange } = outgoing;
  const began = ctx.clock.monotonicMs();
  const measured = () => ({ status: exchange.status, latencyMs: ctx.clock.monotonicMs() - began });
  const shown = createStreamedText(apiKey, request.onText);
  const read: Read = { text: '', inputTokens: null, outputTokens: null, declined: false };
  try {
    const reading = readStream(
      model,
      callOptions(request, call.settings, limits.signal),
      read,
      () => {
        limits.onToken();
        outgoing.isGathered = true;
        shown.update(read.text);
      },
    );
    await Promise.race([reading, limits.passed]);
    const text = redact(read.text, apiKey);
    shown.end(text);
    const usage = { inputTokens: read.inputTokens, outputTokens: read.outputTokens };
    if (text === '' && read.declined) {
      const fault = {
        state: 'failed',
        errorClass: 'refused',
        message: 'the model declined to answer',
        retryAfterMs: null,
      } as const;
      return { ...fault, ...usage, ...measured(), reply: null };
    }
    return { state: 'answered', text, ...usage, ...measured(), reply: text };
  } catch (error) {
    const late = request.signal.aborted ? null : limits.late();
    const broken =
      error instanceof StreamFault && exchange.fault === null
        ? ({ errorClass: 'bad_reply', message: error.message } as const)
        : null;
    const timedOut = late === null ? null : ({ errorClass: 'timeout', message: late } as const);
    const fault = {
      ...faultOf(error, exchange, request.signal.aborted, ctx.clock.now()),
      ...(timedOut ?? broken),
    };
    const reply = exchange.body ?? (read.text === '' ? null : read.text);
    return {
      ...fault,
      message: redact(fault.message, apiKey),
      inputTokens: null,
      outputTokens: null,
      ...measured(),
      reply: reply === null ? null : redact(reply, apiKey),
    };
  } finally {
    limits.end();
  }
}

/**
 * Rejects pending waits at the end of a call. Shared, since a separate error would cost each call a
 * stack trace.
 */
const over = new Error('no longer waited for');

/**
 * One signal that combines the caller's signal, the deadline and the first-token timeout; `passed`
 * rejects when one of them fires, for code that does not accept signals.
 */
function createLimits({
  request,
  timeoutMs,
  firstTokenMs,
}: ModelCall & { readonly firstTokenMs: number | null }) {
  const stop = new AbortController();
  let late: string | null = null;
  let refuse = (): void => undefined;
  const passed = new Promise<never>((_, reject) => {
    refuse = () => reject(over);
  });
  passed.catch(() => undefined);
  const leave = (): void => {
    refuse();
    stop.abort(over);
  };
  const fail = (message: string) => () => {
    late ??= message;
    leave();
  };
  const replyTimer = setTimeout(fail('no complete reply before the deadline'), timeoutMs);
  const first =
    firstTokenMs === null
      ? undefined
      : setTimeout(fail(`no first token within ${firstTokenMs} ms`), firstTokenMs);
  if (request.signal.aborted) leave();
  else request.signal.addEventListener('abort', leave, { once: true });
  return {
    signal: stop.signal,
    passed,
    late: () => late,
    onToken: () => clearTimeout(first),
    end(): void {
      clearTimeout(replyTimer);
      clearTimeout(first);
      request.signal.removeEventListener('abort', leave);
      stop.abort(over);
    },
  };
}

async function readStream(
  model: Model,
  options: Parameters<Model['doStream']>[0],
  read: Read,
  onToken: () => void,
): Promise<void> {
  const { stream } = await model.doStream(options);
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    readPart(value, read, onToken);
  }
}

/** @throws StreamFault for a provider's error within the stream */
function readPart(part: StreamPart, read: Read, onToken: () => void): void {
  switch (part.type) {
    case 'text-delta':
      read.text += part.delta;
      if (part.delta !== '') onToken();
      return;
    case 'reasoning-delta':
    case 'tool-input-delta':
      if (part.delta !== '') onToken();
      return;
    case 'finish':
      read.inputTokens = readTokens(part.usage.inputTokens.total);
      read.outputTokens = readTokens(part.usage.outputTokens.total);
      read.declined = part.finishReason.unified === 'content-filter';
      return;
    case 'error':
      throw new StreamFault(`the stream contained an error${streamMessage(part.error)}`);
    default:
  }
}

function streamMessage(error: unknown): string {
  const message =
    typeof error === 'string'
      ? error
      : typeof error === 'object' && error !== null && 'message' in error
        ? error.message
        : undefined;
  if (typeof message !== 'string') return '';
  return `: ${cleanText(message).text.replace(/\s+/g, ' ').slice(0, MESSAGE_CHARS_MAX).toWellFormed()}`;
}
