import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { collectOutput } from './output-collector';

/** Writes chunks to two streams in turn. @returns the kept output, and the number of cap reports */
async function keep(
  maxBytes: number,
  chunks: readonly string[],
): Promise<{ kept: number; full: number }> {
  let full = 0;
  const output = collectOutput(maxBytes, () => {
    full += 1;
  });
  const streams = [new PassThrough(), new PassThrough()];
  const kept = streams.map((stream) => output.take(stream));
  chunks.forEach((chunk, index) => streams[index % 2]?.write(chunk));
  await Promise.all(
    streams.map((stream) => {
      stream.end();
      return new Promise((resolve) => stream.once('end', resolve));
    }),
  );
  return { kept: kept.reduce((sum, one) => sum + one.text().length, 0), full };
}

describe('collected output', () => {
  it.each([
    ['less than the cap', ['abc', 'def'], 6, 0],
    ['as much as the cap', ['abcd', 'efgh'], 8, 0],
    ['one byte more, after a chunk that ended at the cap', ['abcd', 'efgh', 'i'], 8, 1],
    ['more in one chunk', ['abcdefghijkl'], 8, 1],
    ['much more', ['abcdef', 'ghijkl', 'mnopqr', 'stuvwx'], 8, 1],
    ['nothing', [], 0, 0],
  ] as const)('S-72 %s', async (_what, chunks, kept, full) => {
    expect(await keep(8, chunks)).toEqual({ kept, full });
  });
});
