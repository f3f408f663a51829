import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { buildConnector, Client, type Pool } from 'undici';
import {
  bareHost,
  checkOutboundHeaders,
  checkOutboundUrl,
  isAllowedByOperator,
  isPublicAddress,
  type OutboundPolicy,
  portOf,
} from './outbound-policy';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | Buffer | null;
  /** Total time: name lookup, connection, request, and the reply to its end. */
  readonly deadlineMs: number;
  /** Maximum size of the reply's body, bytes. */
  readonly replyBytesMax: number;
  readonly signal?: AbortSignal;
}

export interface OutboundReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/**
 * The reason why a call received no reply. The message is for the log; a tenant sees at most the
 * kind (S-47).
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  constructor(
    readonly kind: 'refused' | 'unreachable' | 'timeout' | 'too_large',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Resolves a name to addresses. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

interface OutboundOptions {
  readonly resolve?: Resolve;
  readonly poolOf?: (url: URL) => Pool;
}

const resolveByDns: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * Makes one HTTP call to an address that a tenant supplied. Checks the address first as text, then
 * every address that its name resolves to, and connects to one of the checked addresses instead of
 * resolving again (S-40, S-41); then checks the socket's remote address. Follows no redirect,
 * decodes no content coding, ignores proxy variables. Keeps no connection, unless it gets a pool,
 * whose connector must be `guardedConnector`.
 * @throws AssayError refused, for the address or the headers as text
 * @throws OutboundError
 */
export async function guardedFetch(
  policy: OutboundPolicy,
  request: OutboundRequest,
  { resolve = resolveByDns, poolOf }: OutboundOptions = {},
): Promise<OutboundReply> {
  const url = checkOutboundUrl(policy, request.url);
  checkOutboundHeaders(request.headers);
  const deadline = AbortSignal.timeout(request.deadlineMs);
  const signal =
    request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]);
  const pool = poolOf?.(url);
  const client =
    pool ??
    new Client(url.origin, {
      connect: guardedConnector(policy, url, request.deadlineMs, resolve),
      headersTimeout: request.deadlineMs,
      bodyTimeout: request.deadlineMs,
      maxHeaderSize: 32 * 1024,
    });
  try {
    return await untilAborted(signal, exchange(client, url, request, signal));
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    if (deadline.aborted)
      throw new OutboundError('timeout', `no complete reply within ${request.deadlineMs} ms`, {
        cause: error,
      });
    throw new OutboundError('unreachable', error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  } finally {
    if (pool === undefined) client.destroy().catch(() => undefined);
  }
}

async function exchange(
  client: Client | Pool,
  url: URL,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundReply> {
  const reply = await client.request({
    method: request.method,
    path: url.pathname + url.search,
    headers: { 'accept-encoding': 'identity', ...Object.fromEntries(request.headers) },
    body: request.body,
    signal,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > request.replyBytesMax)
      throw new OutboundError(
        'too_large',
        `the reply has more than ${request.replyBytesMax} bytes`,
      );
    chunks.push(chunk);
  }
  const headers = new Map(
    Object.entries(reply.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return { status: reply.statusCode, headers, body: Buffer.concat(chunks, bytes) };
}

/** Stops waiting when the signal aborts, since a name lookup cannot be aborted. */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Connects only to the origin of `url`, for a client or a pool of keep-alive connections. undici
 * calls it for names and for literal addresses alike (it does not pass literals to its `lookup`
 * option, reliability.md 3.3).
 */
export function guardedConnector(
  policy: OutboundPolicy,
  url: URL,
  timeoutMs: number,
  resolve: Resolve = resolveByDns,
): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs });
  const host = bareHost(url);
  // Checked for each connection, since the operator's list may change (outbound-file.ts).
  const port = portOf(url);
  const judge = (address: string): boolean =>
    (isPublicAddress(address) || isAllowedByOperator(policy, url)) &&
    policy.own?.has(address, port) !== true;
  const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : '';
  return (options, answer) => {
    const tryNext = (addresses: readonly string[], before: Error): void => {
      const [address, ...rest] = addresses;
      if (address === undefined) {
        answer(before, null);
        return;
      }
      connect(
        { ...options, hostname: address, port: String(portOf(url)), servername },
        (error, socket) => {
          if (error !== null) tryNext(rest, error);
          else if (judge(socket.remoteAddress ?? '')) answer(null, socket);
          else {
            socket.destroy();
            answer(
              new OutboundError('refused', 'the connection ends at an address that is not public'),
              null,
            );
          }
        },
      );
    };
    findAddresses(host, judge, resolve).then(
      (addresses) =>
        tryNext(addresses, new OutboundError('unreachable', 'the name has no address')),
      (error: Error) => answer(error, null),
    );
  };
}

/**
 * The host's addresses. All must pass: a name that resolves to public and private addresses is
 * refused.
 */
async function findAddresses(
  host: string,
  judge: (address: string) => boolean,
  resolve: Resolve,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  if (!addresses.every(judge))
    throw new OutboundError('refused', 'the name leads to an address that is not public');
  return addresses;
}
