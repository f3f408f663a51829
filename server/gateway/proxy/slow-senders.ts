import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface SenderLimits {
  /** Time limit for a request's body, in milliseconds. */
  readonly wholeMs: number;
  /** Requests that may take longer while their body keeps arriving. */
  readonly isUpload: (target: string) => boolean;
  /** Minimum bytes of an upload per `wholeMs`. */
  readonly uploadBytesMin: number;
  readonly everyMs: number;
}

export const defaultSenderLimits = {
  wholeMs: 30_000,
  uploadBytesMin: 1024,
  everyMs: 2000,
} as const;

export interface Senders {
  /**
   * From now on, closes each connection after its answer, including answers that have not started.
   */
  closeBehind(): void;
  stop(): void;
}

/** A connection's last request. */
interface Sender {
  readonly response: ServerResponse;
  /** When the body was first found incomplete, and the bytes by then. */
  since: number | null;
  bytes: number;
}

/**
 * Disconnects clients that send a body too slowly. Node's `requestTimeout` has one limit for
 * all requests and would also end a steady upload to a model, so it must be 0 on this server. A
 * request costs one map entry; one timer checks them all.
 */
export function watchSenders(server: Server, limits: SenderLimits): Senders {
  const last = new Map<Socket, Sender>();
  let closing = false;
  server.on('connection', (socket) => socket.once('close', () => last.delete(socket)));
  server.prependListener('request', (request, response) => {
    if (closing) response.shouldKeepAlive = false;
    last.set(request.socket, { response, since: null, bytes: 0 });
  });

  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, sender] of last) {
      if (sender.response.req.complete) continue;
      if (sender.since === null || isUploading(socket, sender, limits)) {
        sender.since = now;
        sender.bytes = socket.bytesRead;
      } else if (now - sender.since > limits.wholeMs) disconnect(socket, sender.response);
    }
  }, limits.everyMs);
  timer.unref();

  return {
    closeBehind() {
      closing = true;
      for (const { response } of last.values())
        if (!response.headersSent) response.shouldKeepAlive = false;
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * The upload is progressing, or waiting for us. An upload that already has its answer does not
 * count.
 */
function isUploading(
  socket: Socket,
  { response, bytes }: Sender,
  { isUpload, uploadBytesMin }: SenderLimits,
): boolean {
  const { req } = response;
  if (response.writableEnded || !isUpload(req.url ?? '')) return false;
  return req.isPaused() || socket.bytesRead - bytes >= uploadBytesMin;
}

/** As Node does: sends 408 unless an answer has started. */
function disconnect(socket: Socket, response: ServerResponse): void {
  if (response.socket === socket && !response.headersSent)
    socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}
