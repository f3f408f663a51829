// The upstream of the gateway's bench: raw sockets and prebuilt answers, so that it costs a
// fraction of the proxy. The first segment of the path selects its behaviour. Started by a bench as
// a process, or within one (`startMock`).
import { createServer } from 'node:net';
import {
  figuresAnswer,
  figuresFrames,
  jsonAnswer,
  streamFrames,
  verifierFrames,
} from './answers.mjs';

const paceMs = 10;
/** Of an `endless` stream, which is sent as fast as it is read. */
const endlessBytes = 256 * 1024 * 1024;

/** @param {string} type @param {Buffer} body */
const whole = (type, body) => Buffer.concat([head(type, `content-length: ${body.length}`), body]);
/** @param {string} type @param {string} framing */
const head = (type, framing) =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${framing}\r\nx-request-id: req_mock\r\n\r\n`,
  );
/** @param {Buffer} data */
const chunk = (data) =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
const lastChunk = Buffer.from('0\r\n\r\n');
const streamHead = head('text/event-stream', 'transfer-encoding: chunked');

const json = {
  openai: whole('application/json', jsonAnswer('openai')),
  anthropic: whole('application/json', jsonAnswer('anthropic')),
};
const streams = {
  openai: streamFrames('openai').map(chunk),
  anthropic: streamFrames('anthropic').map(chunk),
};
const figures = whole('application/json', figuresAnswer());
const figuresStream = [streamHead, ...figuresFrames().map(chunk), lastChunk];
const verifier = Buffer.concat([streamHead, ...verifierFrames().map(chunk), lastChunk]);
const endlessChunk = chunk(
  Buffer.from(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(4_000) } }] })}\n\n`,
  ),
);

/**
 * @typedef {{ lastByteAt: bigint, closedAt: bigint, open: number }} Seen the mock's
 * own report, times of the monotonic clock
 */

/** @type {Seen} */
const seen = { lastByteAt: 0n, closedAt: 0n, open: 0 };

/** @param {import('node:net').Socket} socket @param {string} path */
function answer(socket, path) {
  const wire = path.endsWith('/messages') ? 'anthropic' : 'openai';
  const mode = path.slice(1, path.indexOf('/', 1));
  if (mode === 'plain') socket.write(json[wire]);
  else if (mode === 'stream') {
    socket.write(streamHead);
    for (const frame of streams[wire]) socket.write(frame);
    socket.write(lastChunk);
  } else if (mode === 'paced') pace(socket, streams[wire]);
  else if (mode === 'figures') sendAndNote(socket, [figures]);
  else if (mode === 'figures-stream') sendAndNote(socket, figuresStream);
  else if (mode === 'verifier') socket.write(verifier);
  else if (mode === 'endless') pour(socket);
  else if (mode === 'open') keepOpen(socket);
  else if (mode === 'seen') {
    const report = JSON.stringify({
      lastByteAt: String(seen.lastByteAt),
      closedAt: String(seen.closedAt),
      open: seen.open,
    });
    socket.write(whole('application/json', Buffer.from(report)));
  } else socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
}

/** @param {import('node:net').Socket} socket @param {readonly Buffer[]} parts */
function sendAndNote(socket, parts) {
  for (const part of parts) socket.write(part);
  seen.lastByteAt = process.hrtime.bigint();
}

/**
 * Sends the parts at planned times: a late part does not delay the next one.
 * @param {import('node:net').Socket} socket
 * @param {readonly Buffer[]} parts
 */
function pace(socket, parts) {
  const began = performance.now();
  let at = 0;
  socket.write(streamHead);
  const step = () => {
    const part = parts[at];
    if (socket.destroyed) return;
    if (part === undefined) socket.write(lastChunk);
    else {
      socket.write(part);
      at++;
      setTimeout(step, Math.max(0, began + at * paceMs - performance.now()));
    }
  };
  step();
}

/** @param {import('node:net').Socket} socket */
function pour(socket) {
  socket.write(streamHead);
  let left = endlessBytes;
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= endlessChunk.length;
      if (!socket.write(endlessChunk)) {
        socket.once('drain', more);
        return;
      }
    }
    if (!socket.destroyed) socket.end(lastChunk);
  };
  more();
}

/** A stream that never ends by itself. @param {import('node:net').Socket} socket */
function keepOpen(socket) {
  socket.write(streamHead);
  seen.open++;
  const timer = setInterval(() => socket.write(streams.openai[1] ?? ''), paceMs);
  socket.once('close', () => {
    clearInterval(timer);
    seen.open--;
    seen.closedAt = process.hrtime.bigint();
  });
}

/** @param {import('node:net').Socket} socket */
function serve(socket) {
  /**
   * State of the request in progress: the part of its head received so far, its path, and the
   * number of body bytes not yet received.
   */
  let buffered = Buffer.alloc(0);
  let path = '';
  let left = 0;
  let isChunked = false;
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    let rest = data;
    while (rest.length > 0) {
      if (path === '') {
        buffered = buffered.length === 0 ? rest : Buffer.concat([buffered, rest]);
        const end = buffered.indexOf('\r\n\r\n');
        if (end === -1) return;
        const text = buffered.toString('latin1', 0, end);
        path = text.slice(text.indexOf(' ') + 1, text.indexOf(' HTTP/'));
        left = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
        isChunked = /\r\ntransfer-encoding: *chunked/i.test(text);
        rest = buffered.subarray(end + 4);
        buffered = Buffer.alloc(0);
      }
      if (isChunked) {
        // Only the end is searched for; it may arrive in parts.
        buffered = Buffer.concat([buffered.subarray(-4), rest]);
        if (!buffered.subarray(-5).equals(lastChunk)) return;
        buffered = Buffer.alloc(0);
      } else if (rest.length < left) {
        left -= rest.length;
        return;
      }
      rest = isChunked ? rest.subarray(rest.length) : rest.subarray(left);
      const requestPath = path;
      path = '';
      answer(socket, requestPath);
    }
    if (path !== '' && !isChunked && left === 0) {
      const requestPath = path;
      path = '';
      answer(socket, requestPath);
    }
  });
}

/** @returns {Promise<{ port: number, seen: Seen, close: () => void }>} */
export async function startMock() {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serve(socket);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    seen,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

if (process.argv[2] === 'serve') {
  process.on('disconnect', () => process.exit(0));
  const { port } = await startMock();
  process.send?.({ port });
}
