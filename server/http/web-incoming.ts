import type { Incoming } from './body';

/** So much of a body that is too large is read and forgotten: most clients read an answer only after they have sent. */
const forgetFactor = 2;

/** A web request, as Hono gives it. */
export function webIncoming(request: Request): Incoming {
  return {
    header: (name) => request.headers.get(name) ?? undefined,
    async collect(most) {
      const declared = Number(request.headers.get('content-length') ?? 'NaN');
      if (declared <= most) return Buffer.from(await request.arrayBuffer());
      const isOver = declared > most;
      const reader = request.body?.getReader();
      if (reader === undefined) return isOver ? null : Buffer.alloc(0);
      const chunks: Uint8Array[] = [];
      for (let size = 0; ; ) {
        const { done, value } = await reader.read();
        if (done) return isOver || size > most ? null : Buffer.concat(chunks, size);
        size += value.length;
        if (!isOver && size <= most) {
          chunks.push(value);
          continue;
        }
        chunks.length = 0;
        if (size > most * forgetFactor) {
          await reader.cancel();
          return null;
        }
      }
    },
  };
}
