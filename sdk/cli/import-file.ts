import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Api } from './api';
import { cutFile, type FilePart } from './cut-file';
import { CliFailure } from './failure';
import { followJob, hasEnded, type Job, readJob } from './follow-job';
import { createProgressBar } from './progress-bar';
import { unreadable } from './read-input';
import { columnOf } from './read-turns';
import type { Terminal } from './terminal';

/** Uploads a file in parts. Each part is a job, which ends before the next one starts. */

export interface ImportFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly format: 'csv' | 'jsonl';
  readonly delimiter: string;
  open(): Readable;
}

export interface Imported {
  readonly file: string;
  readonly state: 'done' | 'failed' | 'cancelled';
  /** Rows that the jobs processed, including rejected ones. */
  readonly rows: number;
  readonly refused: number;
  /** Sums of the counts in the jobs' results: `turns.accepted`. */
  readonly result: Readonly<Record<string, number>>;
  /**
   * By line of the file; 0 means the whole file. The server limits the number of errors per job.
   */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
  readonly failure: string | null;
}

interface ImportInput {
  readonly file: ImportFile;
  readonly mapping: Readonly<Record<string, unknown>>;
  /** Cancels the running job when it fires. */
  readonly signal: AbortSignal;
  /** Reads the file without sending anything. */
  readonly dryRun: boolean;
  readonly terminal: Terminal;
}

const mebibyte = 1024 * 1024;
/** The HTTP API accepts bodies of 20 MiB, which include form fields and a header. */
const maxPartBytes = 16 * mebibyte;
const maxRowBytes = 19 * mebibyte;

interface Sum {
  rows: number;
  refused: number;
  readonly result: Map<string, number>;
  readonly errors: { readonly line: number; readonly message: string }[];
}

export async function importFile(
  api: Api,
  { file, mapping, signal, dryRun, terminal }: ImportInput,
): Promise<Imported> {
  const sum: Sum = { rows: 0, refused: 0, result: new Map(), errors: [] };
  const bar = createProgressBar(terminal, file.name);
  const refuse = (row: { line: number; message: string }): void => {
    sum.refused++;
    sum.errors.push(row);
  };
  const end = (state: Imported['state'], failure: string | null = null): Imported => ({
    file: file.path,
    state,
    rows: sum.rows,
    refused: sum.refused,
    result: Object.fromEntries(sum.result),
    errors: sum.errors.sort((a, b) => a.line - b.line),
    failure,
  });
  let readBytes = 0;
  try {
    for await (const part of cutFile(file.open(), {
      ...file,
      maxPartBytes,
      maxRowBytes,
      onBadRow: refuse,
    })) {
      const before = readBytes;
      readBytes = part.readBytes;
      const share = (readBytes - before) / Math.max(1, file.size);
      const showJob = (job: Job): void => {
        const ofPart = job.total === null || job.total === 0 ? 0 : job.done / job.total;
        bar.show(before / Math.max(1, file.size) + share * ofPart, sum.rows + job.done);
      };
      if (signal.aborted) return end('cancelled');
      const job = dryRun
        ? checkPart(file, part)
        : await importPart(api, file, part, mapping, showJob, signal);
      add(sum, job);
      if (job.state !== 'done')
        return end(
          job.state === 'failed' ? 'failed' : 'cancelled',
          job.state === 'failed' ? (job.reason ?? 'the job failed without a reason') : null,
        );
    }
  } catch (error) {
    return end(
      'failed',
      (error instanceof CliFailure ? error : unreadable(file.path, error)).message,
    );
  }
  return sum.rows === 0 && sum.refused === 0 ? end('failed', 'the file has no rows') : end('done');
}

async function importPart(
  api: Api,
  file: ImportFile,
  part: FilePart,
  mapping: Readonly<Record<string, unknown>>,
  onPoll: (job: Job) => void,
  signal: AbortSignal,
): Promise<Job> {
  const form = new FormData();
  const table = file.format === 'csv' ? { delimiter: file.delimiter } : {};
  const jobBody = JSON.stringify({
    ...mapping,
    ...table,
    format: file.format,
    first_line: part.firstLine,
  });
  form.set('mapping', new Blob([jobBody], { type: 'application/json' }), 'mapping.json');
  const type = file.format === 'csv' ? 'text/csv' : 'application/x-ndjson';
  form.set('file', new Blob([new Uint8Array(part.bytes)], { type }), file.name);
  // Serialized once, so that each retry sends the same bytes and its key makes it the same job.
  const written = new Response(form);
  const contentType = written.headers.get('content-type') ?? '';
  const body = new Uint8Array(await written.arrayBuffer());
  const started = readJob({
    state: 'waiting',
    ...(await api.call('/v1/import', {
      body,
      contentType,
      headers: { 'idempotency-key': randomUUID() },
      timeoutMs: 300_000,
    })),
  });
  try {
    return hasEnded(started) ? started : await followJob(api, started.id, onPoll, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    // Imported rows are kept: the job reports their number.
    await api.callRaw(`/v1/jobs/${encodeURIComponent(started.id)}`, { method: 'DELETE' });
    return followJob(api, started.id, onPoll);
  }
}

function add(sum: Sum, job: Job): void {
  sum.rows += job.done;
  for (const error of job.errors) {
    // An error of the mapping occurs in every part.
    const isKnown =
      error.line === 0 &&
      sum.errors.some(({ line, message }) => line === 0 && message === error.message);
    if (!isKnown) sum.errors.push(error);
  }
  const { rejected, ...counted } = job.result;
  if (typeof rejected === 'number') sum.refused += rejected;
  addNumbers(sum.result, counted, '');
}

function addNumbers(sums: Map<string, number>, value: object, prefix: string): void {
  for (const [name, part] of Object.entries(value)) {
    const path = `${prefix}${name}`;
    if (typeof part === 'number') sums.set(path, (sums.get(path) ?? 0) + part);
    else if (typeof part === 'object' && part !== null) addNumbers(sums, part, `${path}.`);
  }
}

/** Checks that need no server: counts rows, and finds lines that are not JSON. */
function checkPart(file: ImportFile, part: FilePart): Job {
  const lines = file.format === 'jsonl' ? part.bytes.toString('utf8').split('\n') : [];
  const errors = lines.flatMap((text, at) =>
    text.trim() === '' || isJson(text)
      ? []
      : [{ line: part.firstLine + at, message: `not valid JSON${columnOf(text)}` }],
  );
  return {
    id: '',
    state: 'done',
    done: part.rows,
    total: part.rows,
    errors,
    result: { rejected: errors.length },
    reason: null,
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
