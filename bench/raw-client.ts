import { connect, type Socket } from 'node:net';

/** Requests over keep-alive sockets, each waiting for its answer: about the least a client can cost (performance.md 4.0, item 7). */
export interface LoadResult {
  readonly seconds: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Milliseconds of each request, in order of their ends. */
  readonly latencies: readonly number[];
}

/** Sends all `requests` (whole HTTP messages) over `connections` sockets. */
export async function sendAll(port: number, requests: readonly Buffer[], connections: number): Promise<LoadResult> {
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      for (;;) {
        const request = requests[next++];
        if (request === undefined) break;
        const start = performance.now();
        const status = await exchange(socket, request);
        latencies.push(performance.now() - start);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      socket.end();
    }),
  );
  return { seconds: (performance.now() - began) / 1000, statuses, latencies };
}

/** One request and its answer, which must have a content-length. */
function exchange(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let got = '';
    const onData = (chunk: Buffer): void => {
      got += chunk.toString('latin1');
      const head = got.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(got.slice(0, head))?.[1] ?? 0);
      if (got.length < head + 4 + length) return;
      socket.off('data', onData).off('error', reject);
      resolve(Number(got.slice(9, 12)));
    };
    socket.on('data', onData).once('error', reject);
    socket.write(request);
  });
}

export function httpMessage(path: string, key: string, body: Buffer): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
