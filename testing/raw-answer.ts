import { connect, type Socket } from 'node:net';

/** A response parsed from its raw bytes, read from a separate socket. */
export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names and values alternating, as received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Decoded, without chunked framing. */
  readonly body: Buffer;
  /** Whether the framing is complete. */
  readonly complete: boolean;
  readonly trailers: readonly (readonly [name: string, value: string])[];
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | string;
  /** Called with all bytes so far, for a client that disconnects early. */
  readonly onBytes?: (bytes: Buffer, socket: Socket) => void;
}

/**
 * Sends one request and reads until the connection ends, so that the test sees details hidden by
 * client libraries.
 */
export function sendRaw(port: number, request: RawRequest): Promise<RawAnswer> {
  const body = Buffer.from(request.body ?? '');
  const headers = [...(request.headers ?? [])];
  const has = (name: string) => headers.some(([each]) => each.toLowerCase() === name);
  if (!has('host')) headers.unshift(['host', `127.0.0.1:${port}`]);
  if (!has('content-length') && !has('transfer-encoding') && body.length > 0)
    headers.push(['content-length', String(body.length)]);
  if (!has('connection')) headers.push(['connection', 'close']);
  const head = `${request.method ?? 'POST'} ${request.path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const chunks: Buffer[] = [];
    const done = (): void => resolve(readRaw(Buffer.concat(chunks), request.method === 'HEAD'));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      request.onBytes?.(Buffer.concat(chunks), socket);
    });
    socket.on('error', (error) => (chunks.length > 0 ? done() : reject(error)));
    socket.on('close', done);
    socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
  });
}

const pairs = (lines: readonly string[]): [string, string][] =>
  lines.flatMap((line): [string, string][] => {
    const at = line.indexOf(':');
    return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]];
  });

export function readRaw(bytes: Buffer, noBody = false): RawAnswer {
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0)
      return { status: 0, statusText: '', headers: [], body: rest, complete: false, trailers: [] };
    const [first = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const status = Number(first.split(' ')[1]);
    rest = rest.subarray(end + 4);
    // An interim response precedes the final one.
    if (status === 100) continue;
    const headers = pairs(lines);
    const statusText = first.split(' ').slice(2).join(' ');
    const find = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1];
    const about = { status, statusText, headers };
    if (noBody || status === 204 || status === 304)
      return { ...about, body: rest, complete: true, trailers: [] };
    if (find('transfer-encoding') === 'chunked') return { ...about, ...unchunk(rest) };
    const length = find('content-length');
    return {
      ...about,
      body: rest,
      complete: length === undefined || rest.length === Number(length),
      trailers: [],
    };
  }
}

function unchunk(bytes: Buffer): Pick<RawAnswer, 'body' | 'complete' | 'trailers'> {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return { body: Buffer.concat(parts), complete: false, trailers: [] };
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2;
    if (size === 0) {
      const text = bytes.toString('latin1', at);
      const complete = text === '\r\n' || text.endsWith('\r\n\r\n');
      return { body: Buffer.concat(parts), complete, trailers: pairs(text.split('\r\n')) };
    }
    parts.push(bytes.subarray(at, Math.min(at + size, bytes.length)));
    if (at + size + 2 > bytes.length)
      return { body: Buffer.concat(parts), complete: false, trailers: [] };
    at += size + 2;
  }
}
