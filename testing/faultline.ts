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
   * From now on no data passes in either direction, and neither side is notified. Open connections
   * stay dead after `heal`.
   */
  blackHole(): void;
  restore(): void;
  /**
   * Arms the fault for the `nth` connection from now (1 is the next): the server's termination
   * message arrives in the same packet as its readiness message, as when it dies at that moment
   * . Resolves when it has occurred.
   */
  terminateAfterReady(nth: number): Promise<void>;
  /** Ends all connections; new ones are accepted. */
  cut(): void;
  /** Ends all connections; new ones go to another server, as after a failover. */
  redirect(target: Target): void;
  /** Delivers the server's bytes this much later. */
  delay(ms: number): void;
  /** Bytes that the clients have sent. */
  passed(): number;
  close(): Promise<void>;
}

/** ErrorResponse of a terminating server: severity, code, message. */
const terminationMessage = message(
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
function relayToClient(
  upstream: Socket,
  client: Socket,
  options: { readonly isMuted: () => boolean; readonly delayMs: () => number },
  terminating: { readonly onFault: () => void } | null,
): void {
  const write = (chunk: Buffer): void => {
    if (!client.writableEnded) client.write(chunk);
  };
  upstream.on('data', (chunk) => {
    if (options.isMuted() || client.writableEnded) return;
    if (options.delayMs() > 0) return void setTimeout(write, options.delayMs(), chunk);
    if (terminating === null || !chunk.includes(ready)) return write(chunk);
    client.end(Buffer.concat([chunk, terminationMessage]));
    terminating.onFault();
  });
}

interface Target {
  readonly host: string;
  readonly port: number;
}

interface State {
  target: Target;
  readonly sockets: Set<Socket>;
  /** Sockets on which nothing passes any more. */
  readonly dead: Set<Socket>;
  isBlackHole: boolean;
  delayMs: number;
  passed: number;
  swallowing: { readonly text: string; readonly onFault: () => void } | null;
  terminating: { left: number; readonly onFault: () => void } | null;
}

/** Connects a client with the server. */
function relay(state: State, client: Socket): void {
  const { sockets, dead } = state;
  const upstream = connect({ ...state.target, noDelay: true });
  client.setNoDelay(true);
  let isSwallowed = false;
  if (state.isBlackHole) dead.add(client);
  const isLast = state.terminating !== null && --state.terminating.left === 0;
  const isMuted = (): boolean => isSwallowed || dead.has(client);
  const options = { isMuted, delayMs: () => state.delayMs };
  relayToClient(upstream, client, options, isLast ? state.terminating : null);
  if (isLast) state.terminating = null;
  client.on('data', (chunk) => {
    if (dead.has(client)) return;
    state.passed += chunk.length;
    if (state.swallowing !== null && chunk.includes(state.swallowing.text)) {
      isSwallowed = true;
      state.swallowing.onFault();
      state.swallowing = null;
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
      // Leaves the connection half open: the client must detect that itself.
      if (!(isSwallowed && socket === upstream)) other.destroy();
    });
  }
}

export async function startFaultline(target: Target): Promise<Faultline> {
  const sockets = new Set<Socket>();
  const dead = new Set<Socket>();
  const state: State = {
    target,
    sockets,
    dead,
    isBlackHole: false,
    delayMs: 0,
    passed: 0,
    swallowing: null,
    terminating: null,
  };
  const server = createServer((client) => relay(state, client));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    swallowAfter: (text) =>
      new Promise((onFault) => {
        state.swallowing = { text, onFault };
      }),
    blackHole() {
      state.isBlackHole = true;
      for (const socket of sockets) dead.add(socket);
    },
    restore() {
      state.isBlackHole = false;
    },
    terminateAfterReady: (nth) =>
      new Promise((onFault) => {
        state.terminating = { left: nth, onFault };
      }),
    cut,
    redirect(next) {
      state.target = next;
      cut();
    },
    delay(ms) {
      state.delayMs = ms;
    },
    passed: () => state.passed,
    async close() {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
