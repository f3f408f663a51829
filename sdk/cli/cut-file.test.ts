import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CutOptions, type CutRow, cutFile, type FilePart } from './cut-file';

async function cut(
  file: string,
  options: Partial<CutOptions> = {},
  chunkBytes = 7,
): Promise<{ parts: FilePart[]; bad: CutRow[] }> {
  const bytes = Buffer.from(file);
  const bad: CutRow[] = [];
  const parts: FilePart[] = [];
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const all: CutOptions = {
    format: 'jsonl',
    delimiter: ',',
    maxPartBytes: 30,
    maxRowBytes: 1000,
    onBadRow: (row) => bad.push(row),
    ...options,
  };
  for await (const part of cutFile(chunks(), all)) parts.push(part);
  return { parts, bad };
}

const shown = (parts: readonly FilePart[]): [number, string][] =>
  parts.map(({ firstLine, bytes }) => [firstLine, bytes.toString()]);

describe('JSONL', () => {
  test('is cut at line ends; each part knows its first line', async () => {
    const { parts } = await cut('{"a":1}\n{"b":2}\n\n{"c":3}\n{"d":4}\n{"e":5}');
    expect(shown(parts)).toEqual([
      [1, '{"a":1}\n{"b":2}\n\n{"c":3}\n'],
      [5, '{"d":4}\n{"e":5}\n'],
    ]);
    expect(parts.map(({ rows }) => rows)).toEqual([3, 2]);
    expect(parts.at(-1)?.readBytes).toBe(40);
  });

  test('a row that is too long is reported with its line, and the rest continues', async () => {
    const { parts, bad } = await cut(`1\n${'2'.repeat(100)}\n3\n`, { maxRowBytes: 50 });
    expect(shown(parts)).toEqual([[1, '1\n\n3\n']]);
    expect(bad).toEqual([{ line: 2, message: 'the row has 101 bytes; at most 50 are allowed' }]);
  });
});

describe('CSV', () => {
  test('the header is repeated before each part, and a line break in quotes does not end a row', async () => {
    const { parts } = await cut('\uFEFFa,b\r\n1,"x\ny ""z"", "\r\n2,y "\n3,"q"\n4,\n', {
      format: 'csv',
    });
    expect(shown(parts)).toEqual([
      [2, 'a,b\r\n1,"x\ny ""z"", "\r\n2,y "\n'],
      [5, 'a,b\r\n3,"q"\n4,\n'],
    ]);
  });

  test('supports another delimiter', async () => {
    const { parts } = await cut('a;b\n"1\n";2\n', {
      format: 'csv',
      delimiter: ';',
      maxPartBytes: 5,
    });
    expect(shown(parts)).toEqual([[2, 'a;b\n"1\n";2\n']]);
  });

  test('a header alone has no row', async () => {
    expect((await cut('a,b\n', { format: 'csv' })).parts).toEqual([]);
  });

  test('a quote that is never closed is reported where it began', async () => {
    const { parts, bad } = await cut(`a\nx\n"open\n${'y\n'.repeat(100)}`, {
      format: 'csv',
      maxRowBytes: 50,
    });
    expect(shown(parts)).toEqual([[2, 'a\nx\n']]);
    expect(bad).toMatchObject([{ line: 3 }]);
  });
});

test('for any chunks and any limit, the rows are the same, in order, each on its line', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', 'ä', '😀', ' ') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(cell, { maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 60 }),
      async (cells, chunkBytes, maxPartBytes) => {
        const rows = cells.map((text, at) => `${at},"${text.replaceAll('"', '""')}"\n`);
        const { parts, bad } = await cut(
          `h,t\n${rows.join('')}`,
          { format: 'csv', maxPartBytes },
          chunkBytes,
        );
        expect(bad).toEqual([]);
        expect(parts.map(({ bytes }) => bytes.toString().slice('h,t\n'.length)).join('')).toBe(
          rows.join(''),
        );
        let line = 2;
        let next = 0;
        for (const part of parts) {
          expect(part.firstLine).toBe(line);
          for (
            const text = part.bytes.toString().slice('h,t\n'.length);
            next < rows.length && text.includes(`${rows[next]}`);
            next++
          )
            line += (rows[next] ?? '').split('\n').length - 1;
        }
      },
    ),
    { numRuns: 300 },
  );
});
