import { invalid } from '../../platform';
import type { Incoming } from './body';

/**
 * How much of a body over the limit is read and discarded, as a multiple of the limit: most clients
 * read an answer only after they have sent.
 */
const forgetFactor = 2;

/** A web request, as Hono passes it. */
export function webIncoming(request: Request): Incoming {
  return {
    query: new URL(request.url).search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    async collect(maxBytes, hold) {
      const declared = Number(request.headers.get('content-length') ?? 'NaN');
      if (declared <= maxBytes) {
        hold?.(declared);
        return Buffer.from(await request.arrayBuffer().catch(broken));
      }
      const reader = request.body?.getReader();
      if (reader === undefined) return Buffer.alloc(0);
      const chunks: Uint8Array[] = [];
      let isOver = declared > maxBytes;
      for (let size = 0; ; ) {
        const { done, value } = await reader.read().catch(broken);
        if (done) return isOver ? null : Buffer.concat(chunks, size);
        size += value.length;
        isOver ||= size > maxBytes;
        if (!isOver) {
          hold?.(size);
          chunks.push(value);
          continue;
        }
        chunks.length = 0;
        if (size > maxBytes * forgetFactor) {
          await reader.cancel();
          return null;
        }
      }
    },
  };
}

function broken(): never {
  throw invalid('the request ended before its body was complete; send it again');
}
