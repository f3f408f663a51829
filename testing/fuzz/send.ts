import { Agent, request } from 'node:http';
import type { SentRequest } from './mutate-request';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface Sender {
  /** @returns null if no answer came within the time, and the client left */
  send(sent: SentRequest, timeoutMs: number): Promise<HttpAnswer | null>;
  close(): void;
}

/**
 * Sends requests unchanged, over keep-alive connections: `fetch` would correct paths and methods.
 */
export function createSender(origin: string): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const { hostname, port } = new URL(origin);
  const once = (sent: SentRequest, timeoutMs: number): Promise<HttpAnswer | null> =>
    new Promise((resolve, reject) => {
      const { method, path, body } = sent;
      // Node omits the length of the body of a GET, which would then be read as another request.
      const length = body === null ? {} : { 'content-length': body.length };
      const headers = { ...sent.headers, ...length };
      const call = request({ agent, hostname, port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          clearTimeout(timer);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          });
        });
      });
      const timer = setTimeout(() => {
        resolve(null);
        call.destroy();
      }, timeoutMs);
      call.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      call.end(body ?? undefined);
    });
  return {
    // A server may close a keep-alive connection, or refuse a body before it is sent.
    send: (sent, timeoutMs) => once(sent, timeoutMs).catch(() => once(sent, timeoutMs)),
    close: () => agent.destroy(),
  };
}
