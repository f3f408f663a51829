import { connect, type Socket } from 'node:net';

/**
 * Requests over keep-alive sockets, each waiting for its answer: about the minimum cost of a client
 * (performance.md 4.0, item 7).
 */
export interface LoadResult {
  readonly sent: number;
  readonly seconds: number;
  /** Answers by status; 0 is a connection that broke. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Milliseconds of each request, in order of completion. */
  readonly latencies: readonly number[];
}

export interface Answer {
  /** 0: the connection broke. */
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

export interface Connection {
  send(request: Buffer): Promise<Answer>;
  close(): void;
}

const broken: Answer = { status: 0, head: '', body: Buffer.alloc(0) };

/**
 * Sends `requests` (complete HTTP messages) over `connections` sockets: all of them, or those
 * started within `maxSeconds`.
 */
export async function sendAll(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  maxSeconds = Number.POSITIVE_INFINITY,
): Promise<LoadResult> {
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  let next = 0;
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const began = performance.now();
  const end = began + maxSeconds * 1000;
  await Promise.all(
    open.map(async (connection) => {
      for (;;) {
        const start = performance.now();
        const request = start < end ? requests[next++] : undefined;
        if (request === undefined) return;
        const { status } = await connection.send(request);
        latencies.push(performance.now() - start);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 0) return;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const connection of open) connection.close();
  return { sent: latencies.length, seconds, statuses, latencies };
}

/** One socket, one request at a time. */
export async function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) =>
    socket.once('connect', resolve).once('error', reject),
  );
  socket.removeAllListeners('error');
  let buffered: Buffer | null = null;
  let waiting: ((answer: Answer) => void) | null = null;
  let isOver = false;
  const settle = (answer: Answer): void => {
    const done = waiting;
    waiting = null;
    buffered = null;
    done?.(answer);
  };
  socket.on('data', (chunk) => {
    buffered = buffered === null ? chunk : Buffer.concat([buffered, chunk]);
    const answer = readAnswer(buffered);
    if (answer !== null) settle(answer);
  });
  const end = (): void => {
    isOver = true;
    settle(broken);
  };
  socket.on('error', end).on('close', end);
  return {
    send(request) {
      if (isOver) return Promise.resolve(broken);
      return new Promise((resolve) => {
        waiting = resolve;
        socket.write(request);
      });
    },
    close: () => void socket.destroy(),
  };
}

const chunkedEnd = '0\r\n\r\n';

/** The answer once it is complete, by its content-length or its last chunk. */
function readAnswer(bytes: Buffer): Answer | null {
  const at = bytes.indexOf('\r\n\r\n');
  if (at === -1) return null;
  const head = bytes.toString('latin1', 0, at);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = at + 4 + Number(length);
    return bytes.length < end ? null : { status, head, body: bytes.subarray(at + 4, end) };
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head))
    return { status, head, body: Buffer.alloc(0) };
  return bytes.toString('latin1', bytes.length - chunkedEnd.length) === chunkedEnd
    ? { status, head, body: bytes.subarray(at + 4) }
    : null;
}

export interface MessageHeaders {
  readonly key?: string;
  /** application/json by default. */
  readonly type?: string;
  readonly gzip?: boolean;
}

/** A complete HTTP message that posts `body`. */
export function httpMessage(
  path: string,
  body: Buffer,
  { key, type = 'application/json', gzip = false }: MessageHeaders = {},
): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    `content-type: ${type}`,
    ...(gzip ? ['content-encoding: gzip'] : []),
    `content-length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

/** A complete HTTP message that requests `path`. */
export function getMessage(path: string, key: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
}
