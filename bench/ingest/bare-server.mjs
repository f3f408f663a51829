// The floor of the runtime: node:http reads a body, parses it as JSON (`parse`) or does not
// (`read`), and answers. Started by a bench.
import { createServer } from 'node:http';

const parses = process.argv[2] === 'parse';
const headers = { 'content-type': 'application/json', 'content-length': '2' };

const server = createServer({ noDelay: true }, (request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const [only] = chunks;
    const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    if (parses) JSON.parse(body.toString('utf8'));
    response.writeHead(200, headers);
    response.end('{}');
  });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 });
});
