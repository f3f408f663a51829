import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import { derivedId, invalid } from '../../platform';
import { answerRequestOnce, startImport } from '../../ingest';
import { ImportMapping, withFormat } from '../../ingest/input';
import { createMasker, maskJson, type Masker, maskRows } from '../../masking';
import { readBody } from './body';
import type { HttpDeps } from './deps';
import type { Route } from './route';
import { parse, refuseParameters } from './request-input';
import { readIdempotencyKey } from './idempotency';
import { JobReply, jobReply } from './jobs';
import { webIncoming } from './web-incoming';

const multipart = 'multipart/form-data';
const plainTypes = [
  'application/x-ndjson',
  'application/jsonl',
  'application/json',
  'text/csv',
  'text/plain',
  'application/octet-stream',
];

export const importRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/import',
    scope: 'ingest',
    masking: 'handler',
    summary: `Import turns, scores and labels from the rows of a file: ${multipart} with "file" and "mapping", or the file itself with ?mapping=`,
    query: z.object({
      mapping: z
        .string()
        .optional()
        .openapi({ description: 'The mapping as JSON, where the body is the file itself' }),
    }),
    answers: { 202: JobReply },
    handle: postImport,
  },
];

async function postImport(c: Context, project: ProjectCtx, { masks }: HttpDeps): Promise<Response> {
  const incoming = webIncoming(c.req.raw);
  const { bytes, type } = await readBody(incoming, [multipart, ...plainTypes]);
  const key = readIdempotencyKey(incoming);
  const sent =
    type === multipart
      ? await readParts(bytes, incoming.header('content-type') ?? '')
      : { file: bytes, name: '', type, mapping: c.req.query('mapping') };
  const rules = await masks.read(project.projectId);
  const masker = rules === null ? null : createMasker(rules);
  const maskedMapping = maskMapping(sent.mapping, masker);
  const mapping = parse(ImportMapping, withFormat(readMapping(maskedMapping), sent), 'mapping');
  const delimiter = mapping.format === 'csv' ? mapping.delimiter : null;
  const file = masker === null ? sent.file : maskRows(sent.file, masker, delimiter);
  if (masker !== null) masks.note(project.projectId, masker.counts);
  // A multipart boundary differs between requests: the content identifies a repeated request.
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(mapping)}\n`), file]);
  const answer = await answerRequestOnce(project, key, '/v1/import', content, async () => {
    const jobId = key === null ? undefined : derivedId('job', project.projectId, 'import', key);
    return {
      status: 202,
      body: jobReply(await startImport(project, { mapping, file, jobId })),
    };
  });
  return c.json(answer.body as object, 202);
}

/** A mapping may hold texts that rows refer to. */
function maskMapping(text: string | undefined, masker: Masker | null): string | undefined {
  if (text === undefined || masker === null) return text;
  return maskJson(Buffer.from(text), { masker, states: [] }).toString();
}

interface Parts {
  readonly file: Buffer;
  /** File name and content type that the part declares; empty where it declares none. */
  readonly name: string;
  readonly type: string;
  readonly mapping: string | undefined;
}

const partNames: ReadonlySet<string> = new Set(['file', 'mapping']);

async function readParts(bytes: Buffer, contentType: string): Promise<Parts> {
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': contentType },
  })
    .formData()
    .catch(() => null);
  if (form === null) throw invalid(`the body is not ${multipart}, although its Content-Type is`);
  refuseParameters(partNames, form.keys());
  const [file, mapping] = [form.get('file'), form.get('mapping')];
  if (file === null)
    throw invalid('file: is required', [
      { path: 'file', message: 'is required: the part of the form that holds the rows' },
    ]);
  return {
    ...(typeof file === 'string'
      ? { file: Buffer.from(file), name: '', type: '' }
      : { file: Buffer.from(await file.arrayBuffer()), name: file.name, type: file.type }),
    mapping:
      mapping === null ? undefined : typeof mapping === 'string' ? mapping : await mapping.text(),
  };
}

function readMapping(text: string | undefined): unknown {
  if (text === undefined)
    throw invalid('mapping: is required', [
      { path: 'mapping', message: 'is required: how a row becomes a turn, as JSON' },
    ]);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('mapping: must be JSON', [{ path: 'mapping', message: 'must be JSON' }]);
  }
}
