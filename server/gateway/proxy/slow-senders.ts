import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface SenderLimits {
  /** All of a request's body has to be there within so long, milliseconds. */
  readonly wholeMs: number;
  /** Requests whose bodies may take as long as they keep coming. */
  readonly isUpload: (target: string) => boolean;
  /** At least so many bytes of an upload in each `wholeMs`. */
  readonly uploadBytesMin: number;
  readonly everyMs: number;
}

export const usualSenderLimits = { wholeMs: 30_000, uploadBytesMin: 1024, everyMs: 2000 } as const;

export interface Senders {
  /**
   * From now on every answer says that its connection is closed behind it: those that have not
   * begun, and those to come.
   */
  closeBehind(): void;
  stop(): void;
}

/** A connection's last request. */
interface Sender {
  readonly response: ServerResponse;
  /** When it was first seen without its end, and what had come by then. */
  since: number | null;
  bytes: number;
}

/**
 * Cuts off who sends a body too slowly. Node's own `requestTimeout` knows one time for all
 * requests, and would cut a steady upload to a model as well: it has to be 0 on this server. A
 * request costs one entry in a map; the rest is done for all of them together.
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
      } else if (now - sender.since > limits.wholeMs) cutOff(socket, sender.response);
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

/** It keeps coming, or waits for us. An upload that has its answer already is not waited for. */
function isUploading(
  socket: Socket,
  { response, bytes }: Sender,
  { isUpload, uploadBytesMin }: SenderLimits,
): boolean {
  const { req } = response;
  if (response.writableEnded || !isUpload(req.url ?? '')) return false;
  return req.isPaused() || socket.bytesRead - bytes >= uploadBytesMin;
}

/** As Node does it: who has not heard yet that there is an answer hears that it took too long. */
function cutOff(socket: Socket, response: ServerResponse): void {
  if (response.socket === socket && !response.headersSent)
    socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}
