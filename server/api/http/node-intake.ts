import type { IncomingMessage, ServerResponse } from 'node:http';
import { dataHeaders } from '../../platform';
import { type Intake, intakePaths } from './intake';
import { nodeIncoming } from './node-incoming';

/**
 * Answers intake requests on Node's own server; false for any other, which then goes to the router.
 * The router and its web requests cost more than the rest of an answer (performance.md 5, item 1).
 */
export function createNodeIntake(
  intake: Intake,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    if (request.method !== 'POST') return false;
    const route = intakePaths.get(request.url?.split('?', 1)[0] ?? '');
    if (route === undefined) return false;
    void intake(route, nodeIncoming(request)).then(({ status, headers, body }) => {
      if (response.destroyed) return;
      // The connection stays open after a body that was too large: `nodeIncoming` reads the rest of
      // it, so that its sender receives the answer.
      const { connection: _connection, ...kept } = headers;
      response.writeHead(status, {
        ...kept,
        ...dataHeaders,
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
    return true;
  };
}
