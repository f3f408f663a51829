import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A TCP relay in front of a server. `swallowAfter` watches the data of the clients. From the chunk
 * that contains `text` on, the server's bytes on that connection never reach the client, while the
 * client's bytes still reach the server: a commit whose answer is lost.
 */
export interface Faultline {
  readonly port: number;
  /** Arms the fault for the next connection that sends `text`; resolves when it has occurred. */
  swallowAfter(text: string): Promise<void>;
  /**
   * From now on nothing passes in either direction, and neither side is notified; open connections
   * stay dead after `heal`.
   */
  blackHole(): void;
  heal(): void;
  /**
   * Arms the fault for the `nth` connection from now (1 is the next): the server's termination
   * message arrives in the same packet as its readiness message, as when it dies at that moment
   * . Resolves when it has occurred.
   */
  farewell(nth: number): Promise<void>;
  /** Ends all connections; new ones are accepted. */
  cut(): void;
  close(): Promise<void>;
}

/** ErrorResponse of a terminating server: severity, code, message. */
const goodBye = message(
  'E',
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
);
const ready = message('Z', 'I');

function message(kind: string, body: string): Buffer {
  const bytes = Buffer.from(`${kind}    ${body}`);
  bytes.writeUInt32BE(bytes.length - 1, 1);
  return bytes;
}

/**
 * Relays the server's data to the client; with `dying`, only up to the readiness message, followed
 * by the termination message.
 */
function passBack(
  upstream: Socket,
  client: Socket,
  isMuted: () => boolean,
  dying: { readonly struck: () => void } | null,
): void {
  upstream.on('data', (chunk) => {
    if (isMuted() || client.writableEnded) return;
    if (dying === null || !chunk.includes(ready)) return void client.write(chunk);
    client.end(Buffer.concat([chunk, goodBye]));
    dying.struck();
  });
}

export async function startFaultline(target: {
  readonly host: string;
  readonly port: number;
}): Promise<Faultline> {
  const sockets = new Set<Socket>();
  let dark = false;
  const dead = new Set<Socket>();
  let armed: { readonly text: string; readonly struck: () => void } | null = null;
  let dying: { left: number; readonly struck: () => void } | null = null;

  const server = createServer((client) => {
    const upstream = connect({ ...target, noDelay: true });
    client.setNoDelay(true);
    let deaf = false;
    if (dark) dead.add(client);
    const isLast = dying !== null && --dying.left === 0;
    passBack(upstream, client, () => deaf || dead.has(client), isLast ? dying : null);
    if (isLast) dying = null;
    client.on('data', (chunk) => {
      if (dead.has(client)) return;
      if (armed !== null && chunk.includes(armed.text)) {
        deaf = true;
        armed.struck();
        armed = null;
      }
      upstream.write(chunk);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        dead.delete(socket);
        // Leaves the connection half open: the client must detect that on its own.
        if (!(deaf && socket === upstream)) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallowAfter: (text) =>
      new Promise((struck) => {
        armed = { text, struck };
      }),
    blackHole() {
      dark = true;
      for (const socket of sockets) dead.add(socket);
    },
    heal() {
      dark = false;
    },
    farewell: (nth) =>
      new Promise((struck) => {
        dying = { left: nth, struck };
      }),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
