import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly etag?: string;
}

interface FakeStorage {
  readonly url: string;
  /** Objects by `bucket/key`. */
  readonly objects: Map<string, Buffer>;
  /** Parts of unfinished uploads, by upload id. */
  readonly uploads: Map<string, Map<number, Buffer>>;
  /** From now on, parts after this number are refused. */
  partsTaken: number;
  /** From now on, an object breaks off after this many bytes. */
  bytesSent: number;
  close(): void;
}

export const storageKeys = {
  AWS_ACCESS_KEY_ID: 'AKIATEST',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-storage',
  AWS_REGION: 'eu-test-1',
} as const;

/**
 * Storage with the documented API of Amazon S3: PUT, GET, uploads in parts, `If-None-Match: *`, and
 * signatures of version 4, which it checks. It has one bucket, `backups`, and addresses it by path.
 */
export async function startObjectStorage(): Promise<FakeStorage> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { status, body: text = '', etag } = answer(storage, request, body);
      const bytes = Buffer.from(text);
      response.writeHead(status, {
        'content-length': bytes.length,
        ...(etag !== undefined && { etag }),
        'content-type': 'application/xml',
      });
      if (request.method === 'GET' && bytes.length > storage.bytesSent) {
        response.write(bytes.subarray(0, storage.bytesSent), () => response.destroy());
        return;
      }
      response.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const storage: FakeStorage = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    uploads,
    partsTaken: Number.POSITIVE_INFINITY,
    bytesSent: Number.POSITIVE_INFINITY,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return storage;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function answer(storage: FakeStorage, request: IncomingMessage, body: Buffer): Answer {
  const url = new URL(request.url ?? '/', 'http://storage.test');
  if (!isSigned(request, url)) return fault(403, 'SignatureDoesNotMatch');
  const at = decodeURIComponent(url.pathname).slice(1);
  if (!at.startsWith('backups/')) return fault(404, 'NoSuchBucket');
  const isNew = !storage.objects.has(at) || request.headers['if-none-match'] !== '*';
  const uploadId = url.searchParams.get('uploadId');
  if (request.method === 'GET') {
    const found = storage.objects.get(at);
    return found === undefined ? fault(404, 'NoSuchKey') : { status: 200, body: found };
  }
  if (request.method === 'POST' && url.searchParams.has('uploads')) {
    const id = `upload-${storage.uploads.size + 1}`;
    storage.uploads.set(id, new Map());
    const text = `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
    return { status: 200, body: text };
  }
  if (uploadId !== null) return answerUpload(storage, { request, url, at, uploadId, isNew, body });
  if (request.method !== 'PUT') return fault(405, 'MethodNotAllowed');
  if (!isNew) return fault(412, 'PreconditionFailed');
  storage.objects.set(at, body);
  return { status: 200, etag: etagOf(body) };
}

interface UploadRequest {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly at: string;
  readonly uploadId: string;
  readonly isNew: boolean;
  readonly body: Buffer;
}

function answerUpload(
  { uploads, objects, partsTaken }: FakeStorage,
  { request, url, at, uploadId, isNew, body }: UploadRequest,
): Answer {
  const parts = uploads.get(uploadId);
  if (parts === undefined) return fault(404, 'NoSuchUpload');
  if (request.method === 'DELETE') {
    uploads.delete(uploadId);
    return { status: 204 };
  }
  if (request.method === 'PUT') {
    const number = Number(url.searchParams.get('partNumber'));
    if (number > partsTaken) return fault(403, 'AccessDenied');
    parts.set(number, body);
    return { status: 200, etag: etagOf(body) };
  }
  if (!isNew) return fault(412, 'PreconditionFailed');
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, n]) => Number(n));
  objects.set(at, Buffer.concat(named.map((n) => parts.get(n) ?? Buffer.alloc(0))));
  uploads.delete(uploadId);
  const text = '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>';
  return { status: 200, body: text };
}

const fault = (status: number, code: string): Answer => ({
  status,
  body: `<Error><Code>${code}</Code><Message>${code} of the test</Message></Error>`,
});

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;

/** Whether the signature (AWS Signature Version 4) is that of the test's keys. */
function isSigned({ method = '', headers }: IncomingMessage, url: URL): boolean {
  const [, scope = '', names = '', signature = ''] =
    /Credential=AKIATEST\/(\S+), SignedHeaders=(\S+), Signature=(\w+)/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const query = [...url.searchParams]
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join('&');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const canonical = [
    method,
    url.pathname,
    query,
    lines.join(''),
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (from, part) => createHmac('sha256', from).update(part).digest(),
      `AWS4${storageKeys.AWS_SECRET_ACCESS_KEY}`,
    );
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}
