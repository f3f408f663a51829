// Output of foreign code, kept up to a number of bytes counted over all streams together.
import type { Readable } from 'node:stream';

export interface KeptOutput {
  /** Begins to take a stream; `full` is told once, when the next byte would pass the cap. */
  take(stream: Readable): { text(): Buffer };
}

export function keepOutput(maxBytes: number, full: () => void): KeptOutput {
  let left = maxBytes;
  return {
    take(stream) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        if (left < 0) return;
        const kept = chunk.subarray(0, left);
        // A copy, so that a short rest does not hold on to the whole chunk.
        chunks.push(kept.length === chunk.length ? chunk : Buffer.from(kept));
        left -= chunk.length;
        if (left < 0) full();
      });
      // A pipe that breaks because its writer was killed is told by the end of the process.
      stream.on('error', () => undefined);
      return { text: () => Buffer.concat(chunks) };
    },
  };
}
