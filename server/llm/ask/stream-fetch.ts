import { Client } from 'undici';
import { checkOutboundHeaders, checkOutboundUrl, type Ctx, guardedConnector, OutboundError } from '../../platform';
import { type Exchange, type ProviderFetch, replyBytesMax } from './provider-fetch';

export interface StreamFetch extends ProviderFetch {
  /** Ends the connection, whatever goes over it still. */
  readonly close: () => void;
}

/**
 * As `createProviderFetch`, but a reply of 2xx is handed on as it comes; any other is read to its end, so that what it says is in
 * `exchange.body`. The caller bounds the time by a signal and closes when it is done.
 */
export function createStreamFetch(ctx: Pick<Ctx, 'env'>, origin: string, deadlineMs: number): StreamFetch {
  const exchange: Exchange = { status: null, headers: new Map(), body: null, fault: null };
  let client: Client | null = null;
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    try {
      if (client !== null || new URL(url).origin !== origin) throw new OutboundError('refused', 'a call to another address');
      const policy = { allow: ctx.env.outboundAllow };
      const checked = checkOutboundUrl(policy, url);
      const headers = new Map([...new Headers(init.headers).entries(), ['user-agent', 'assay'], ['accept-encoding', 'identity']]);
      checkOutboundHeaders(headers);
      client = new Client(checked.origin, {
        connect: guardedConnector(policy, checked, deadlineMs),
        headersTimeout: deadlineMs,
        bodyTimeout: deadlineMs,
        maxHeaderSize: 32 * 1024,
      });
      const reply = await client.request({
        method: 'POST',
        path: checked.pathname + checked.search,
        headers: Object.fromEntries(headers),
        body: typeof init.body === 'string' ? init.body : null,
        signal: init.signal ?? null,
      });
      exchange.status = reply.statusCode;
      exchange.headers = new Map(Object.entries(reply.headers).map(([name, value]) => [name, [value].flat().join(', ')]));
      const coding = exchange.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
      if (coding !== '' && coding !== 'identity') throw new OutboundError('refused', 'a compressed reply, though none was asked for');
      return await responseOf(exchange, bounded(reply.body as AsyncIterable<Buffer>));
    } catch (error) {
      throw keepFault(exchange, error);
    }
  };
  return { fetch, exchange, close: () => void client?.destroy().catch(() => undefined) };
}

async function responseOf(exchange: Exchange, chunks: AsyncGenerator<Buffer>): Promise<Response> {
  const status = exchange.status ?? 0;
  if (status < 200 || status > 299) {
    const held: Buffer[] = [];
    for await (const chunk of chunks) held.push(chunk);
    exchange.body = Buffer.concat(held).toString('utf8');
    // A redirect is no reply to this question, and a Response of such a status may have no body.
    return new Response(exchange.body, { status: status >= 400 && status <= 599 ? status : 502 });
  }
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.error(keepFault(exchange, error));
      }
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
  const contentType = exchange.headers.get('content-type');
  return new Response(status === 204 || status === 205 ? null : stream, {
    status,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  });
}

async function* bounded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > replyBytesMax) throw new OutboundError('too_large', `the reply has more than ${replyBytesMax} bytes`);
    yield chunk;
  }
}

/** What the connection said first is why the call failed, whatever the SDK makes of it. */
function keepFault(exchange: Exchange, error: unknown): unknown {
  if (error instanceof OutboundError) exchange.fault ??= error;
  else if (error instanceof Error && error.name !== 'AssayError')
    exchange.fault ??= new OutboundError('unreachable', error.message, { cause: error });
  return error;
}
