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
  /** Ends all connections; new ones go to another server, as after a failover. */
  redirect(target: Target): void;
  /** Delivers the server's bytes this much later. */
  delay(ms: number): void;
  /** Bytes that the clients have sent. */
  passed(): number;
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
  how: { readonly isMuted: () => boolean; readonly delayMs: () => number },
  dying: { readonly struck: () => void } | null,
): void {
  const write = (chunk: Buffer): void => {
    if (!client.writableEnded) client.write(chunk);
  };
  upstream.on('data', (chunk) => {
    if (how.isMuted() || client.writableEnded) return;
    if (how.delayMs() > 0) return void setTimeout(write, how.delayMs(), chunk);
    if (dying === null || !chunk.includes(ready)) return write(chunk);
    client.end(Buffer.concat([chunk, goodBye]));
    dying.struck();
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
  dark: boolean;
  delayMs: number;
  passed: number;
  armed: { readonly text: string; readonly struck: () => void } | null;
  dying: { left: number; readonly struck: () => void } | null;
}

/** Connects a client with the server. */
function relay(state: State, client: Socket): void {
  const { sockets, dead } = state;
  const upstream = connect({ ...state.target, noDelay: true });
  client.setNoDelay(true);
  let deaf = false;
  if (state.dark) dead.add(client);
  const isLast = state.dying !== null && --state.dying.left === 0;
  const isMuted = (): boolean => deaf || dead.has(client);
  const how = { isMuted, delayMs: () => state.delayMs };
  passBack(upstream, client, how, isLast ? state.dying : null);
  if (isLast) state.dying = null;
  client.on('data', (chunk) => {
    if (dead.has(client)) return;
    state.passed += chunk.length;
    if (state.armed !== null && chunk.includes(state.armed.text)) {
      deaf = true;
      state.armed.struck();
      state.armed = null;
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
}

export async function startFaultline(target: Target): Promise<Faultline> {
  const sockets = new Set<Socket>();
  const dead = new Set<Socket>();
  const state: State = {
    target,
    sockets,
    dead,
    dark: false,
    delayMs: 0,
    passed: 0,
    armed: null,
    dying: null,
  };
  const server = createServer((client) => relay(state, client));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    swallowAfter: (text) =>
      new Promise((struck) => {
        state.armed = { text, struck };
      }),
    blackHole() {
      state.dark = true;
      for (const socket of sockets) dead.add(socket);
    },
    heal() {
      state.dark = false;
    },
    farewell: (nth) =>
      new Promise((struck) => {
        state.dying = { left: nth, struck };
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
