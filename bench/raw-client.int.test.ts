import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { sendOpenLoop } from './open-loop';
import { httpMessage, openConnection, sendAll } from './raw-client';

let server: Server | null = null;

async function listen(handle: RequestListener): Promise<number> {
  server = createServer(handle);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

const message = httpMessage('/', Buffer.from('{}'));

describe('load clients of the benches', () => {
  it.each([
    ['a content-length', (text: string): readonly string[] => [text]],
    ['chunks', (text: string): readonly string[] => text.split('')],
  ])('read answers with %s, one after the other on one socket', async (_, parts) => {
    const port = await listen((request, response) => {
      request.resume().on('end', () => {
        const pieces = parts('answer');
        if (pieces.length === 1) return void response.end(pieces[0]);
        for (const piece of pieces) response.write(piece);
        response.end();
      });
    });
    const connection = await openConnection(port);
    for (let n = 0; n < 3; n++) {
      const { status, body } = await connection.send(message);
      expect(status).toBe(200);
      expect(body.toString()).toContain('a');
    }
    connection.close();
  });

  it('count a broken connection as status 0, and do not use it again', async () => {
    const port = await listen((request) => void request.socket.destroy());
    const { statuses, sent } = await sendAll(port, [message, message, message], 1);
    expect([...statuses]).toEqual([[0, 1]]);
    expect(sent).toBe(1);
  });

  it('send every message once, over all sockets', async () => {
    const paths: string[] = [];
    const port = await listen((request, response) => {
      paths.push(request.url ?? '');
      request.resume().on('end', () => response.end('{}'));
    });
    const messages = Array.from({ length: 50 }, (_, n) => httpMessage(`/${n}`, Buffer.from('{}')));
    const { statuses } = await sendAll(port, messages, 8);
    expect(statuses.get(200)).toBe(50);
    expect(new Set(paths).size).toBe(50);
  });

  it.each([
    { whenBusy: 'wait' as const, sent: 20, dropped: 0 },
    { whenBusy: 'drop' as const, sent: 1, dropped: 19 },
  ])(
    'arrive at their rate while the server holds its answers: $whenBusy',
    async ({ whenBusy, sent, dropped }) => {
      let arrived = 0;
      const port = await listen((request, response) => {
        request.resume();
        arrived++;
        // The first answer comes only when all have arrived.
        if (arrived === 1) setTimeout(() => response.end('{}'), 300);
        else response.end('{}');
      });
      const result = await sendOpenLoop({
        port,
        perSecond: 200,
        seconds: 0.1,
        connections: 1,
        whenBusy,
        next: () => ({ request: message, done: () => undefined }),
      });
      expect(result).toMatchObject({ sent, dropped });
      expect(result.statuses.get(200)).toBe(sent);
      expect(Math.max(...result.latencies)).toBeGreaterThan(200);
    },
  );
});
