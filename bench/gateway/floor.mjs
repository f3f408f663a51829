// The floor of a proxy in Node: node:http for clients, undici's dispatch for the upstream, headers
// and chunks forwarded as they arrive. It checks no key, has no routes and stores nothing: the
// minimum of a correct proxy. Started by a bench with the upstream's origin.
import { createServer } from 'node:http';
import { Pool } from 'undici';

const origin = process.argv[2] ?? '';
const pool = new Pool(origin, { connections: 1024, pipelining: 1 });
const collectedBytes = 64 * 1024;
const host = new URL(origin).host;
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** @param {readonly (string | Buffer)[]} raw @returns {string[]} */
function endToEnd(raw) {
  const forwarded = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = String(raw[at]);
    if (!hopByHop.has(name.toLowerCase())) forwarded.push(name, String(raw[at + 1]));
  }
  return forwarded;
}

/**
 * @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse}
 * response @param {Buffer | import('node:http').IncomingMessage} body
 */
function forward(request, response, body) {
  const headers = endToEnd(request.rawHeaders);
  headers.push('host', host);
  /** @type {(() => void) | null} */
  let abort = null;
  response.once('close', () => {
    if (!response.writableFinished) abort?.();
  });
  // Handlers of this older form are not wrapped: raw headers and no controller.
  pool.dispatch(
    { method: /** @type {'POST'} */ (request.method), path: request.url ?? '/', headers, body },
    {
      onConnect(end) {
        abort = end;
      },
      onHeaders(status, raw, resume) {
        response.writeHead(status, endToEnd(raw));
        response.on('drain', resume);
        return true;
      },
      onData: (chunk) => response.write(chunk),
      onComplete: () => void response.end(),
      onError: () => void response.destroy(),
    },
  );
}

const server = createServer({ noDelay: true }, (request, response) => {
  // A small body is cheaper in one piece.
  if (!(Number(request.headers['content-length']) <= collectedBytes))
    return forward(request, response, request);
  /** @type {Buffer[]} */
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () =>
    forward(
      request,
      response,
      parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts),
    ),
  );
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 });
});
