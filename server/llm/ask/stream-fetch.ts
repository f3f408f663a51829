import type { Dispatcher, Pool } from 'undici';
import {
  checkOutboundHeaders,
  checkOutboundUrl,
  OutboundError,
  type OutboundPolicy,
} from '../../platform';
import { type Exchange, replyBytesMax } from './provider-fetch';

/** One call to a reused model. */
export interface StreamedCall {
  readonly exchange: Exchange;
  /** Whether the reply is passed on in pieces of `GATHER_MS`, instead of as it arrives. */
  isGathered: boolean;
}

/** `fetch` for a reused model: any number of calls, each announced by `expect`. */
export interface StreamFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Announces the call that will carry this signal, which also aborts it; returns its record. */
  expect(signal: AbortSignal): StreamedCall;
}

/**
 * Each piece passes through four streams of the SDK, so tokens of a reply that is only read when
 * complete are passed on together; the end of a reply is not delayed. Delays the detection of an
 * error within the reply by at most this time.
 */
const GATHER_MS = 100;

/**
 * As `createProviderFetch`, but over reused connections. A 2xx reply is passed on as it arrives;
 * any other is read to its end into `exchange.body`. The caller limits the time by the signal.
 */
export function createStreamFetch(
  policy: OutboundPolicy,
  poolOf: (url: URL) => Pool,
  origin: string,
): StreamFetch {
  // The SDK passes a call's signal on unchanged, so the signal identifies the call.
  const expected = new WeakMap<AbortSignal, StreamedCall>();
  const fetch = async (
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> => {
    const signal = init.signal ?? null;
    const call = signal === null ? undefined : expected.get(signal);
    if (signal === null || call === undefined)
      throw new OutboundError('refused', 'an unexpected request');
    expected.delete(signal);
    try {
      const text = input instanceof Request ? input.url : String(input);
      const url = checkOutboundUrl(policy, text);
      if (url.origin !== origin) throw new OutboundError('refused', 'a call to another address');
      const headers = new Map([
        ...new Headers(init.headers).entries(),
        ['user-agent', 'assay'],
        ['accept-encoding', 'identity'],
      ]);
      checkOutboundHeaders(headers);
      const body = typeof init.body === 'string' ? init.body : null;
      return await send(
        poolOf(url),
        { method: 'POST', path: url.pathname + url.search, headers, body },
        call,
        signal,
      );
    } catch (error) {
      throw recordFault(call.exchange, error);
    }
  };
  return {
    fetch,
    expect(signal) {
      const call = {
        exchange: { status: null, headers: new Map(), body: null, fault: null },
        isGathered: false,
      };
      expected.set(signal, call);
      return call;
    },
  };
}

/** Resolves with the head of a 2xx reply, or with the whole reply otherwise. */
function send(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  call: StreamedCall,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise<Response>((resolve, reject) => {
    const reply = createReply(call, resolve);
    let stop: ((reason: Error) => void) | null = null;
    const end = (error: Error | null): void => {
      signal.removeEventListener('abort', leave);
      if (error === null) return;
      recordFault(call.exchange, error);
      reply.fail(error);
      reject(error);
    };
    const fail = (error: Error): void => {
      end(error);
      stop?.(error);
    };
    const leave = (): void =>
      fail(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    const attempt = (work: () => void): boolean => {
      try {
        work();
      } catch (error) {
        fail(
          error instanceof Error ? error : new Error('the reply cannot be read', { cause: error }),
        );
      }
      return true;
    };
    if (signal.aborted) {
      leave();
      return;
    }
    signal.addEventListener('abort', leave, { once: true });
    // undici's raw handler interface, which creates neither a header object nor a body stream.
    pool.dispatch(request, {
      onConnect(abort) {
        stop = abort;
        if (signal.aborted) leave();
      },
      onHeaders: (status, headers) => attempt(() => reply.begin(status, headers)),
      onData: (chunk) => attempt(() => reply.add(chunk)),
      onComplete() {
        attempt(() => reply.complete());
        end(null);
      },
      onError: end,
    });
  });
}

/** The reply received so far. `begin` and `add` throw on a reply that is not accepted. */
function createReply(call: StreamedCall, resolve: (response: Response) => void) {
  const { exchange } = call;
  let timer: NodeJS.Timeout | undefined;
  let chunks: Buffer[] = [];
  let bytes = 0;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const flush = (): void => {
    const [first] = chunks;
    if (controller === null || first === undefined) return;
    controller.enqueue(chunks.length === 1 ? first : Buffer.concat(chunks));
    chunks = [];
  };
  return {
    begin(status: number, rawHeaders: readonly Buffer[]): void {
      if (status < 200) return;
      exchange.status = status;
      exchange.headers = readHeaders(rawHeaders);
      const coding = exchange.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
      if (coding !== '' && coding !== 'identity')
        throw new OutboundError('refused', 'a compressed reply, which was not requested');
      if (status > 299) return;
      const contentType = exchange.headers.get('content-type');
      const stream = new ReadableStream<Uint8Array>({
        start(given) {
          controller = given;
        },
      });
      const isBodiless = status === 204 || status === 205;
      const headers: Record<string, string> =
        contentType === undefined ? {} : { 'content-type': contentType };
      resolve(new Response(isBodiless ? null : stream, { status, headers }));
    },
    add(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > replyBytesMax)
        throw new OutboundError('too_large', `the reply has more than ${replyBytesMax} bytes`);
      if (chunks.push(chunk) !== 1 || controller === null) return;
      if (call.isGathered) timer = setTimeout(flush, GATHER_MS);
      // Bytes that arrived together are passed on together.
      else queueMicrotask(flush);
    },
    complete(): void {
      clearTimeout(timer);
      flush();
      if (controller !== null) {
        const ended = controller;
        // undici releases a connection one turn of the event loop after the reply's end. A caller
        // that makes another call at once should find it free.
        queueMicrotask(() => setImmediate(() => ended.close()));
        return;
      }
      exchange.body = Buffer.concat(chunks).toString('utf8');
      // A redirect is not an answer, and a Response with such a status may have no body.
      const status = exchange.status ?? 0;
      resolve(
        new Response(exchange.body, { status: status >= 400 && status <= 599 ? status : 502 }),
      );
    },
    fail(error: unknown): void {
      clearTimeout(timer);
      chunks = [];
      controller?.error(error);
      controller = null;
    },
  };
}

function readHeaders(raw: readonly Buffer[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toString('latin1').toLowerCase() ?? '';
    const value = raw[at + 1]?.toString('latin1') ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

/**
 * A fault of the connection is the cause of the failure, regardless of the error that the SDK
 * derives from it.
 */
function recordFault(exchange: Exchange, error: unknown): unknown {
  if (error instanceof OutboundError) exchange.fault ??= error;
  else if (error instanceof Error && error.name !== 'AssayError')
    exchange.fault ??= new OutboundError('unreachable', error.message, { cause: error });
  return error;
}
