import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as the upstream received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  /** Names and values alternating, as received. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Resolves only if the connection is closed before the end of the response. */
  readonly left: Promise<void>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

export type UpstreamScript = (request: ReceivedRequest) => void | Promise<void>;

export interface MockUpstream {
  readonly port: number;
  readonly origin: string;
  readonly requests: ReceivedRequest[];
  /** Replaces the script for all later requests. */
  script(next: UpstreamScript): void;
  /** Open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/**
 * An upstream on loopback, controlled by the test: it sends chunks on demand, truncates, hangs,
 * sends trailers or any bytes. With `early`, it runs the script before it has read the request's
 * body.
 */
export async function startMockUpstream(
  first: UpstreamScript,
  { early = false } = {},
): Promise<MockUpstream> {
  let script = first;
  const requests: ReceivedRequest[] = [];
  const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
    const { socket } = request;
    const left = new Promise<void>((resolve) => {
      response.on('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on(early ? 'resume' : 'end', () => {
      const { method = '', url = '', rawHeaders, headers } = request;
      const one = {
        method,
        url,
        rawHeaders,
        headers,
        body: Buffer.concat(chunks),
        left,
        request,
        response,
        socket,
      };
      requests.push(one);
      void Promise.resolve(script(one)).catch((error: unknown) => {
        socket.destroy();
        throw error;
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    requests,
    script(next) {
      script = next;
    },
    connections: () =>
      new Promise((resolve, fail) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : fail(error))),
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with one JSON body. */
export const answerJson =
  (body: string, headers: Record<string, string> = {}): UpstreamScript =>
  ({ response }) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    });
    response.end(body);
  };

/** Answers with an event stream; each piece is a separate write in a separate event loop turn. */
export const answerStream =
  (pieces: readonly (string | Buffer)[], headers: Record<string, string> = {}): UpstreamScript =>
  async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((go) => setImmediate(go));
    }
    response.end();
  };
