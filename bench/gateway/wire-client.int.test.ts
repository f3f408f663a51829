import { afterEach, describe, expect, it } from 'vitest';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { openWire } from './wire-client';

let server: Server | null = null;

afterEach(() => {
  server?.close();
  server = null;
});

/** Answers any request with these bytes, in pieces of `size`, one per event loop turn. */
async function answerWith(bytes: string, size: number, ends = false): Promise<number> {
  server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      let at = 0;
      const step = (): void => {
        if (at < bytes.length) socket.write(bytes.slice(at, at + size), () => setImmediate(step));
        else if (ends) socket.end();
        at += size;
      };
      step();
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n3\r\nans\r\n3\r\nwer\r\n0\r\n\r\n`;

describe('client of the gateway bench', () => {
  it.each([
    ['a content-length', `${ok}content-length: 6\r\n\r\nanswer`, 0],
    ['chunks', chunked, 2],
    ['chunks and trailers', chunked.replace('0\r\n\r\n', '0\r\nx-a: b\r\n\r\n'), 2],
  ])('reads answers with %s, wherever they are cut', async (_, bytes, chunks) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const port = await answerWith(bytes, size);
      const wire = await openWire(port);
      for (let n = 0; n < 3; n++) {
        const reply = await wire.send({
          request: Buffer.from('x'),
          expected: Buffer.from('answer'),
          keepsBody: true,
          keepsArrivals: true,
        });
        expect(reply).toMatchObject({ status: 200, bytes: 6, same: true, chunks });
        expect(reply.body?.toString()).toBe('answer');
        expect(reply.arrivals.length).toBeGreaterThan(0);
      }
      wire.close();
      server?.close();
    }
  });

  it.each([
    ['another byte', 'answes'],
    ['a byte less', 'answe'],
    ['a byte more', 'answers'],
  ])('detects %s', async (_, body) => {
    const wire = await openWire(
      await answerWith(`${ok}content-length: ${body.length}\r\n\r\n${body}`, 4),
    );
    expect(
      await wire.send({ request: Buffer.from('x'), expected: Buffer.from('answer') }),
    ).toMatchObject({ status: 200, same: false });
    wire.close();
  });

  it('reports a truncated answer as status 0', async () => {
    const wire = await openWire(await answerWith(chunked.slice(0, -5), 100, true));
    expect(await wire.send({ request: Buffer.from('x') })).toMatchObject({ status: 0 });
    wire.close();
  });
});
