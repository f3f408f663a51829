import { isUtf8 } from 'node:buffer';
import { enterProject, type ProjectCtx } from '../../access';
import { AssayError, type Ctx, invalid, sha256 } from '../../platform';
import {
  type ClaimedJob,
  type JobError,
  type JobProgress,
  type JobStep,
  readJobFile,
} from '../../queue';
import { type ImportBatch, createBatch, type ImportDeps, type ImportResult } from './batch';
import { type CutRow, cutRows } from './cut-rows';
import { mapRow } from './map-row';
import { ImportMapping, placesOf } from './mapping';
import { csvCells, csvRow, type ImportRow, jsonRow } from './row';
import { withReferences } from './references';

export interface ImportInput {
  readonly mapping: ImportMapping;
  readonly bytes: number;
}

/** Where the next step begins. */
interface ImportCursor {
  readonly offset: number;
  /** The sender's line number there. */
  readonly line: number;
  /** CSV. */
  readonly columns: readonly string[];
  /** Paths of the mapping that at least one row has. */
  readonly seen: readonly string[];
  /**
   * Paths that were looked up; those of rejected rows only up to the rejection. Omitted by the
   * previous release.
   */
  readonly sought?: readonly string[];
}

const emptyResult = (mapping: ImportMapping): ImportResult => ({
  turns: { accepted: 0, duplicates: 0, conflicts: 0 },
  labels: { accepted: 0, duplicates: 0 },
  scores: { accepted: 0, duplicates: 0, unparseable: 0 },
  ...(mapping.pipeline === undefined ? {} : { pipelines: { accepted: 0, duplicates: 0 } }),
  rejected: 0,
});

const stepRows = 500;
const stepBytes = 2 * 1024 * 1024;

/**
 * The step of an import: at most 500 rows become turns, scores and labels. Ids come from the row or
 * are derived from it, so repeating a step is harmless.
 */
export function createImportStep(ctx: Ctx, deps: ImportDeps): JobStep {
  return async (job: ClaimedJob): Promise<JobProgress> => {
    const project = enterProject(
      ctx,
      { id: job.projectId, slug: job.projectSlug },
      { kind: 'system', id: 'job', label: job.createdBy },
    );
    const { mapping, bytes: size } = readInput(job.input);
    const file = { projectId: job.projectId, jobId: job.id };
    const first = job.cursor === null;
    const cursor =
      (job.cursor as ImportCursor | null) ?? (await openFile(project, file, mapping, size));
    const total = first ? await countRows(project, file, mapping, cursor, size) : job.total;
    const { rows, bytes, next } = await readRows(project, file, mapping, cursor.offset, size);
    const seen = new Set(cursor.seen);
    const soughtPaths = new Set(cursor.sought);
    const batch = createBatch(
      project,
      deps,
      job.createdBy,
      (job.result as ImportResult | null) ?? emptyResult(mapping),
    );
    let line = cursor.line;
    let done = 0;
    for (const row of rows) {
      const text = bytes.subarray(row.start, row.end);
      if (text.toString('latin1').trim() !== '') {
        done++;
        await importRow(
          project,
          { mapping, columns: cursor.columns, text, line, seen, sought: soughtPaths },
          batch,
        );
      }
      line += row.breaks;
    }
    const result = await batch.end();
    const ended = next >= size;
    return {
      cursor: ended
        ? null
        : {
            offset: next,
            line,
            columns: cursor.columns,
            seen: [...seen],
            sought: [...soughtPaths],
          },
      done: job.done + done,
      total: ended ? job.done + done : total,
      errors: ended
        ? [...batch.errors, ...unseen(mapping, { seen, sought: soughtPaths })]
        : batch.errors,
      result,
    };
  };
}

function readInput(input: unknown): ImportInput {
  const { mapping, bytes } = input as { mapping: unknown; bytes: number };
  const parsed = ImportMapping.safeParse(mapping);
  if (!parsed.success)
    throw invalid('this release cannot read the mapping of the import; start the import again');
  return { mapping: parsed.data, bytes };
}

interface FileOf {
  readonly projectId: string;
  readonly jobId: string;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Offset of the first row, after a byte order mark and the header. @throws AssayError
 * invalid_request
 */
async function openFile(
  ctx: ProjectCtx,
  file: FileOf,
  mapping: ImportMapping,
  size: number,
): Promise<ImportCursor> {
  const head = await readJobFile(ctx, { ...file, from: 0, bytes: 3 });
  const offset = head.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  if (mapping.format === 'jsonl')
    return { offset, line: mapping.first_line ?? 1, columns: [], seen: [] };
  const { rows, bytes, next } = await readRows(ctx, file, mapping, offset, size, 1);
  const [header] = rows;
  if (header === undefined) return { offset: next, line: 1, columns: [], seen: [] };
  const columns = csvCells(
    bytes.subarray(header.start, header.end).toString('utf8'),
    mapping.delimiter,
  ).map((name) => name.trim());
  const twice = columns.find((name, at) => columns.indexOf(name) !== at);
  if (twice !== undefined) throw invalid(`the header has the column "${twice}" twice`);
  return { offset: next, line: mapping.first_line ?? 1 + header.breaks, columns, seen: [] };
}

interface ReadRows {
  readonly rows: readonly CutRow[];
  /** The offsets of rows are relative to these bytes. */
  readonly bytes: Buffer;
  /** Offset in the file of the first remaining row. */
  readonly next: number;
}

/** The next rows, at least one if any is left, regardless of its length. */
async function readRows(
  ctx: ProjectCtx,
  file: FileOf,
  mapping: ImportMapping,
  from: number,
  size: number,
  limit = stepRows,
): Promise<ReadRows> {
  for (let wantedBytes = stepBytes; ; wantedBytes *= 2) {
    const bytes = await readJobFile(ctx, { ...file, from, bytes: wantedBytes });
    const isEndOfFile = from + bytes.length >= size;
    if (bytes.length === 0 && !isEndOfFile)
      throw invalid('the file of the import was deleted; send it again');
    const { rows, next } = cutRows(bytes, { limit, isEndOfFile, delimiter: delimiterOf(mapping) });
    if (rows.length > 0 || isEndOfFile) return { rows, bytes, next: from + next };
  }
}

function delimiterOf(mapping: ImportMapping): number | null {
  return mapping.format === 'csv' ? mapping.delimiter.charCodeAt(0) : null;
}

async function countRows(
  ctx: ProjectCtx,
  file: FileOf,
  mapping: ImportMapping,
  { offset }: ImportCursor,
  size: number,
): Promise<number> {
  const bytes = await readJobFile(ctx, { ...file, from: offset, bytes: size });
  const { rows } = cutRows(bytes, {
    limit: Number.POSITIVE_INFINITY,
    isEndOfFile: true,
    delimiter: delimiterOf(mapping),
  });
  return rows.filter(
    (row) =>
      bytes
        .subarray(row.start, Math.min(row.end, row.start + 100))
        .toString('latin1')
        .trim() !== '',
  ).length;
}

interface RowInput {
  readonly mapping: ImportMapping;
  readonly columns: readonly string[];
  readonly text: Buffer;
  readonly line: number;
  readonly seen: Set<string>;
  readonly sought: Set<string>;
}

async function importRow(
  ctx: ProjectCtx,
  { mapping, columns, text, line, seen, sought }: RowInput,
  batch: ImportBatch,
): Promise<void> {
  try {
    if (!isUtf8(text)) throw invalid('the row is not UTF-8');
    const row = text.toString('utf8');
    const plain =
      mapping.format === 'csv'
        ? csvRow(row, columns, mapping.delimiter)
        : jsonRow(withReferences(row, mapping.references));
    const seed = `${ctx.projectId}\n${sha256(row.trim())}`;
    for (const imported of mapRow(recordingRow(plain, seen, sought), {
      mapping,
      now: ctx.clock.now(),
      seed,
    }))
      await batch.add(imported, line);
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'invalid_request') throw error;
    await batch.add({ kind: 'error', message: error.message }, line);
  }
}

/** Wraps the row to record which paths were looked up and which exist. */
function recordingRow(row: ImportRow, seen: Set<string>, sought: Set<string>): ImportRow {
  return {
    read(place, within) {
      sought.add(place);
      const raw = row.read(place, within);
      if (raw !== null) seen.add(place);
      else if (within?.item !== undefined && row.read(ofItem(place), within) !== null)
        seen.add(ofItem(place));
      return raw;
    },
    entries(place, within) {
      sought.add(place);
      const entries = row.entries(place, within);
      if (entries !== null) seen.add(place);
      return entries;
    },
    items(place) {
      sought.add(place);
      const items = row.items(place);
      if (items !== null) seen.add(place);
      return items;
    },
  };
}

const ofItem = (place: string): string => (place.startsWith('@') ? place : `@.${place}`);

interface PathUse {
  readonly seen: ReadonlySet<string>;
  readonly sought: ReadonlySet<string>;
}

/**
 * A path that no row has is usually a mistake in the mapping. A path that was never looked up,
 * because every row was rejected earlier, may exist in every row: then only each row's own error is
 * reported.
 */
function unseen(mapping: ImportMapping, { seen, sought }: PathUse): JobError[] {
  return placesOf(mapping)
    .filter(({ place }) => sought.has(place) && !seen.has(place))
    .map(({ path, place }) => {
      const suggestion =
        ofItem(place) !== place && seen.has(ofItem(place))
          ? `, but the items of "${mapping.each}" have it; write "${ofItem(place)}"`
          : '';
      return {
        line: 0,
        message: `${path.join('.')}: names "${place}", which no row has${suggestion}`,
      };
    });
}
