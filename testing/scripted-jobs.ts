import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `POST /v1/import` and `/v1/jobs` as clients see them, without storage: a job ends after a number
 * of polls, or waits for its cancellation.
 */

export interface Upload {
  readonly name: string;
  readonly type: string;
  readonly text: string;
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string;
}

export interface ScriptedJobs {
  readonly url: string;
  readonly uploads: readonly Upload[];
  readonly cancelled: readonly string[];
  /** Resolves with the id of the next polled job. */
  nextPolled(): Promise<string>;
  close(): Promise<void>;
}

export interface JobScript {
  /** Number of polls during which it is running (1). */
  readonly pollsUntilDone?: number;
  /** Running until it is cancelled, with half of its rows done. */
  readonly stuck?: boolean;
  /** Rejected rows of an upload, by their line in the part. */
  readonly errors?: (
    upload: Upload,
  ) => readonly { readonly line: number; readonly message: string }[];
  readonly failure?: string;
  /** Status of the response to the first upload. */
  readonly firstStatus?: number;
}

interface StoredJob {
  readonly upload: Upload;
  readonly rows: number;
  left: number;
  isCancelled: boolean;
}

export async function startScriptedJobs(script: JobScript = {}): Promise<ScriptedJobs> {
  const jobs = new Map<string, StoredJob>();
  const uploads: Upload[] = [];
  const cancelled: string[] = [];
  let waiting: ((id: string) => void)[] = [];
  let refusals = script.firstStatus === undefined ? 0 : 1;

  async function take(request: IncomingMessage): Promise<[number, object]> {
    const upload = await readUpload(request);
    if (refusals-- > 0)
      return [script.firstStatus ?? 503, { error: { code: 'unavailable', message: 'not now' } }];
    uploads.push(upload);
    const id = `job_${uploads.length}`;
    const rows = upload.text.trimEnd().split('\n').length - (upload.type === 'text/csv' ? 1 : 0);
    jobs.set(id, { upload, rows, left: script.pollsUntilDone ?? 1, isCancelled: false });
    return [
      202,
      {
        id,
        state: 'waiting',
        done: 0,
        total: null,
        errors: [],
        error_count: 0,
        result: null,
        reason: null,
      },
    ];
  }

  function poll(id: string, job: StoredJob): object {
    for (const resolve of waiting) resolve(id);
    waiting = [];
    return describeJob(id, job, script);
  }

  async function answer(request: IncomingMessage): Promise<[number, object]> {
    const path = request.url ?? '';
    if (request.method === 'POST' && path === '/v1/import') return take(request);
    const id = /^\/v1\/jobs\/(\w+)$/.exec(path)?.[1] ?? '';
    const job = jobs.get(id);
    if (job === undefined) return [404, { error: { code: 'not_found', message: 'no such job' } }];
    if (request.method === 'DELETE') {
      job.isCancelled = true;
      cancelled.push(id);
    }
    return [200, poll(id, job)];
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void respond(response, answer(request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uploads,
    cancelled,
    nextPolled: () => new Promise((resolve) => waiting.push(resolve)),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function respond(
  response: ServerResponse,
  answering: Promise<[number, object]>,
): Promise<void> {
  const [status, body] = await answering.catch((error: unknown): [number, object] => [
    500,
    { error: { code: 'internal', message: String(error) } },
  ]);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readUpload(request: IncomingMessage): Promise<Upload> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(Buffer.concat(chunks), { headers }).formData();
  const file = form.get('file');
  const mapping = form.get('mapping');
  if (!(file instanceof File) || !(mapping instanceof File))
    throw new Error('file and mapping are needed');
  return {
    name: file.name,
    type: file.type,
    text: await file.text(),
    mapping: JSON.parse(await mapping.text()) as Record<string, unknown>,
    idempotencyKey: String(request.headers['idempotency-key']),
  };
}

/** Each poll advances a running job. */
function describeJob(id: string, job: StoredJob, script: JobScript): object {
  const { rows, isCancelled } = job;
  const isRunning = !isCancelled && (script.stuck === true || job.left-- > 0);
  const base = {
    id,
    kind: 'traces.import',
    total: rows,
    errors: [],
    error_count: 0,
    result: null,
    reason: null,
  };
  if (isRunning) return { ...base, state: 'running', done: Math.floor(rows / 2) };
  if (script.failure !== undefined)
    return { ...base, state: 'failed', done: 0, reason: script.failure };
  const done = isCancelled ? Math.floor(rows / 2) : rows;
  const errors = script.errors?.(job.upload) ?? [];
  const rejected = errors.filter(({ line }) => line > 0).length;
  const result = {
    turns: { accepted: done - rejected, duplicates: 0 },
    labels: { accepted: 0 },
    rejected,
  };
  return {
    ...base,
    state: isCancelled ? 'cancelled' : 'done',
    done,
    errors,
    error_count: errors.length,
    result,
  };
}
