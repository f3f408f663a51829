import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type SenderLimits, type Senders, watchSenders } from './slow-senders';

let server: Server;
let senders: Senders;
const sockets: Socket[] = [];

const limits: SenderLimits = {
  wholeMs: 150,
  uploadBytesMin: 100,
  everyMs: 15,
  isUpload: (target) => target.startsWith('/up'),
};

async function start(): Promise<number> {
  server = createServer({ requestTimeout: 0 }, (request, response) => {
    if (request.url === '/up/refused') {
      response.writeHead(401).end();
      return;
    }
    let bytes = 0;
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => void response.end(`${bytes} bytes`));
  });
  senders = watchSenders(server, limits);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

afterEach(async () => {
  senders.stop();
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

/** Sends a body in 40 pieces over twice `wholeMs`, and resolves with everything received. */
function upload(port: number, path: string, pieceBytes: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  let received = '';
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${40 * pieceBytes}\r\n\r\n`,
  );
  let left = 40;
  const timer = setInterval(() => {
    if (left-- > 0) socket.write(Buffer.alloc(pieceBytes));
    else clearInterval(timer);
  }, 8);
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(received);
    });
  });
}

test('R-7 an API body has a time limit; an upload may take longer while it progresses, unless it trickles or has its answer', async () => {
  const port = await start();
  const [steady, api, trickling, refused] = await Promise.all([
    upload(port, '/up/load', 1000),
    upload(port, '/v1/traces', 1000),
    upload(port, '/up/trickle', 1),
    upload(port, '/up/refused', 1000),
  ]);
  expect(steady).toContain('40000 bytes');
  for (const cut of [api, trickling]) expect(cut).toMatch(/^HTTP\/1\.1 408 /);
  expect(refused).toMatch(/^HTTP\/1\.1 401 /);
});

test('R-7 a complete request may be answered late, and its connection is kept', async () => {
  const port = await start();
  server.removeAllListeners('request');
  senders.stop();
  senders = watchSenders(server, limits);
  const waiting: (() => void)[] = [];
  server.on('request', (_request, response) => void waiting.push(() => response.end('done')));
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.write('GET /v1/turns HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => waiting.length).toBe(1);
  await new Promise((go) => setTimeout(go, 2 * limits.wholeMs));
  const answer = new Promise<string>((resolve) =>
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  waiting[0]?.();
  expect(await answer).toMatch(/200 OK[\s\S]*connection: keep-alive/i);
});

test('R-69 once the server stops, current and later answers close their connections', async () => {
  const port = await start();
  const begin = (path: string): { socket: Socket; received: Promise<string> } => {
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\na`);
    return { socket, received: new Promise((resolve) => socket.on('close', () => resolve(text))) };
  };
  const arrived = new Promise<void>((resolve) => server.once('request', () => resolve()));
  const underWay = begin('/up/one');
  const later = connect({ port, host: '127.0.0.1' });
  sockets.push(later);
  await expect
    .poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))))
    .toBe(2);
  await arrived;
  senders.closeBehind();
  underWay.socket.write('b');
  expect(await underWay.received).toMatch(/connection: close[\s\S]*2 bytes/i);
  const text = new Promise<string>((resolve) => {
    let all = '';
    later.on('data', (chunk: Buffer) => (all += chunk.toString()));
    later.on('close', () => resolve(all));
  });
  later.write('POST /up/two HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nab');
  expect(await text).toMatch(/connection: close[\s\S]*2 bytes/i);
});
