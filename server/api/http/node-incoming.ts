import type { IncomingMessage } from 'node:http';
import { invalid } from '../../platform';
import type { Incoming } from './body';

/** A request of Node's own server: reading a body costs a fifth of the time of a web stream. */
export function nodeIncoming(request: IncomingMessage): Incoming {
  const [, query = ''] = request.url?.split('?', 2) ?? [];
  return {
    query,
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    collect: (maxBytes, hold) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const broken = (): void =>
          reject(invalid('the request ended before its body was complete; send it again'));
        const forget = (): void => {
          chunks.length = 0;
          size = Number.POSITIVE_INFINITY;
        };
        // A client that hung up before the listeners were added emits no further event.
        if (request.destroyed) return broken();
        if (Number(request.headers['content-length'] ?? 0) > maxBytes) forget();
        // The rest of an unwanted body is read and discarded until it ends or times out. Most
        // clients read an answer only after they have sent the body, and closing the connection
        // first would lose it.
        request.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size === Number.POSITIVE_INFINITY) return;
          if (size > maxBytes) {
            forget();
            resolve(null);
            return;
          }
          try {
            hold?.(size);
            chunks.push(chunk);
          } catch (error) {
            forget();
            reject(
              error instanceof Error ? error : invalid('the body cannot be read; send it again'),
            );
          }
        });
        if (size > maxBytes) return resolve(null);
        request.once('end', () => {
          request.off('close', broken);
          const [only] = chunks;
          resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
        });
        request.once('error', broken);
        request.once('close', broken);
      }),
  };
}
