import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { ProjectCtx } from '../../access';
import { invalid } from '../../platform';
import { beginning, chained, type ExportCursor, exportChunk } from './lines';

export interface ExportWritten {
  readonly lines: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Writes an export into a file, which appears completely or not at all. */
export async function writeExport(ctx: ProjectCtx, file: string): Promise<ExportWritten> {
  const temporary = `${file}.${process.pid}.part`;
  const handle = await open(temporary, 'wx', 0o600);
  let counts: Readonly<Record<string, number>> = {};
  let lines = 0;
  async function* texts(): AsyncGenerator<string> {
    for (let cursor: ExportCursor | null = beginning; cursor !== null; ) {
      const chunk = await exportChunk(ctx, cursor);
      lines += chunk.lines.length;
      ({ cursor, counts } = chunk);
      if (chunk.lines.length > 0) yield chunk.lines.map((line) => `${line}\n`).join('');
    }
  }
  try {
    await pipeline(Readable.from(texts()), createGzip(), handle.createWriteStream());
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return { lines, counts };
}

/**
 * Validates an export: the number of lines of each type matches its end, and no line was changed.
 * @throws AssayError invalid_request naming the fault
 */
export async function checkExport(file: string): Promise<ExportWritten> {
  const source = createReadStream(file).pipe(createGunzip());
  const failed = new Promise<never>((_, reject) => {
    source.once('error', (error) =>
      reject(invalid(`the file is not a complete export: ${error.message}`)),
    );
  });
  return Promise.race([
    readThrough(createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })),
    failed,
  ]);
}

async function readThrough(source: AsyncIterable<string>): Promise<ExportWritten> {
  const counts: Record<string, number> = {};
  let chain = '';
  let lines = 0;
  for await (const line of source) {
    const type = typeOf(line);
    if (type === 'end') {
      const end = JSON.parse(line) as {
        lines: number;
        counts: Record<string, number>;
        sha256: string;
      };
      const same =
        Object.entries(end.counts).every(([name, n]) => counts[name] === n) && end.lines === lines;
      if (!same)
        throw invalid('the export is incomplete: its number of lines differs from its count');
      if (end.sha256 !== chain)
        throw invalid('the export was changed: its checksum does not match');
      return { lines: lines + 1, counts };
    }
    chain = chained(chain, [line]);
    lines++;
    if (type !== 'export') counts[type] = (counts[type] ?? 0) + 1;
  }
  throw invalid('the export is incomplete: it has no end');
}

/** Reads the type, which comes first, without parsing the whole line. */
function typeOf(line: string): string {
  const found = /^\{"type":"(\w+)"/.exec(line);
  if (found?.[1] === undefined) throw invalid('the file is not an export of Assay');
  return found[1];
}
