import type { ItemsSource } from '../client/store-items';
import { cutFile } from './cut-file';

/** The items of a CSV or JSONL file, with the lines on which they begin. */
export async function readItemsFile(label: string, text: string): Promise<ItemsSource> {
  const isCsv = label.endsWith('.csv');
  const lines: number[] = [];
  const parts = cutFile(bytesOf(text), {
    format: isCsv ? 'csv' : 'jsonl',
    delimiter: ',',
    // Each row is a part.
    maxPartBytes: 1,
    maxRowBytes: Number.POSITIVE_INFINITY,
    onBadRow: () => undefined,
  });
  for await (const { firstLine } of parts) lines.push(firstLine);
  return {
    text,
    contentType: isCsv ? 'text/csv' : 'application/x-ndjson',
    label,
    count: lines.length,
    place: (index) => `line ${lines[index] ?? '?'}`,
  };
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
