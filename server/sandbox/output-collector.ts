// Output of foreign code, kept up to a maximum of bytes counted over all streams.
import type { Readable } from 'node:stream';

export interface OutputCollector {
  /** Starts reading a stream; `full` is called once, when the next byte would exceed the cap. */
  take(stream: Readable): { text(): Buffer };
}

export function collectOutput(maxBytes: number, full: () => void): OutputCollector {
  let left = maxBytes;
  return {
    take(stream) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        if (left < 0) return;
        const fitting = chunk.subarray(0, left);
        // A copy, so that a short rest does not keep the whole chunk in memory.
        chunks.push(fitting.length === chunk.length ? chunk : Buffer.from(fitting));
        left -= chunk.length;
        if (left < 0) full();
      });
      // If the writer was killed, the exit of the process reports it.
      stream.on('error', () => undefined);
      return { text: () => Buffer.concat(chunks) };
    },
  };
}
