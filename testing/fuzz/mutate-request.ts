import { gzipSync } from 'node:zlib';
import type { Random } from '../seed';
import { mutateBytes, mutateJson, mutateText, pick } from './mutate';

/** A request of the HTTP API in the form in which it is mutated. */
export interface PlainRequest {
  readonly method: string;
  /** Segments and query, encoded. */
  readonly path: string;
  readonly body?: unknown;
  readonly raw?: { readonly type: string; readonly text: string };
  readonly accept?: string;
  /** Changes the mutated body, before it is compressed. */
  readonly finishBody?: (body: Buffer) => Buffer;
}

/** A request as sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

const oddSegments: readonly string[] = [
  '%00',
  'a%00b',
  '%ff',
  '%ED%A0%80',
  '%25',
  '%',
  '%2',
  '..',
  '.',
  '%2e%2e',
  '..%2f..',
  '%2F',
  '\\',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '0',
  '-1',
  '1e9',
  '1.5',
  '99999999999999999999',
  '9007199254740993',
  'a'.repeat(201),
  'a'.repeat(5e3),
  '%F0%9F%98%80',
  "'",
  '%22',
  '*',
  '%20',
  '$1',
  'A;B',
  'a,b',
  'a%2Cb',
  '%C3%A9',
  'e%CC%81',
  '{id}',
  ':id',
  '+',
  '',
];

const oddQueryNames: readonly string[] = [
  'limit',
  'cursor',
  'from',
  'to',
  'state',
  'id',
  'ids',
  'mapping',
  'verifier',
  'x',
  '',
  '__proto__',
  'constructor',
  'limit[]',
  'limit[a]',
  'a.b',
  '%00',
  '%ff',
  '%',
  'format',
  'outcome',
  'session_id',
];

const cursorOf = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

function oddCursor(random: Random): string {
  const parts: readonly unknown[] = [
    ['2026-01-01T00:00:00.000Z', 'x'],
    ['2026-01-01T00:00:00.000Z', 'x', 1],
    [1, 2, 3],
    { a: 1 },
  ];
  return Buffer.from(mutateJson(pick(parts, random), random))
    .toString('base64url')
    .slice(0, 600);
}

function oddQueryValue(random: Random): string {
  if (random.next() < 0.15) return oddCursor(random);
  if (random.next() < 0.15)
    return encodeURIComponent(
      mutateJson({ format: 'jsonl', id: 'id', output: 'a' }, random).toWellFormed(),
    ).slice(0, 4_000);
  return pick(
    [
      ...oddSegments,
      cursorOf(['9999-99-99T99Z', 'x']),
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999999Z',
      '-271821-04-20T00:00:00Z',
      '2026-01-01T00:00:00%2B99:99',
      'true',
      'failed',
    ],
    random,
  );
}

function mutatePath(path: string, random: Random): string {
  const [before = '', query = ''] = path.split('?');
  const segments = before.split('/');
  if (random.next() < 0.5) {
    // The first two name the API; others are ids or names.
    const at = random.between(Math.min(3, segments.length - 1), segments.length - 1);
    segments[at] =
      random.next() < 0.6
        ? pick(oddSegments, random)
        : (segments[at] ?? '') + pick(oddSegments, random);
  }
  const members = query === '' ? [] : query.split('&');
  for (let left = random.between(0, 3); left > 0; left--) {
    const at = random.between(0, members.length);
    const member = `${pick(oddQueryNames, random)}=${oddQueryValue(random)}`;
    const existing = members[at];
    if (existing !== undefined && random.next() < 0.7)
      members[at] = `${existing.split('=', 1)[0]}=${oddQueryValue(random)}`;
    else members.splice(at, 0, pick([member, '=', '&', 'a', '=a'], random));
  }
  return `${segments.join('/')}${members.length === 0 ? '' : `?${members.join('&')}`}`;
}

const oddTypes: readonly string[] = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/x-protobuf',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json;charset=utf-8',
  'APPLICATION/JSON',
  'application/x-ndjson',
  'text/csv',
  '',
  'application/json, text/plain',
  ';',
  'application/json;;',
  '*/*',
  'application/grpc',
];

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'];
const MIB = 1024 * 1024;

const rawPieces = [
  '\n',
  '\r\n',
  '\0',
  '{',
  '}',
  '"',
  ',',
  '&',
  '=',
  '%',
  '%00',
  'payload',
  '[',
  '😀',
  '1e400',
];

function bodyOf({ body, raw }: PlainRequest, random: Random): Buffer {
  if (raw !== undefined) return Buffer.from(mutateText(raw.text, rawPieces, random));
  const written = Buffer.from(mutateJson(body ?? {}, random));
  const chance = random.next();
  if (chance < 0.1) return mutateBytes(written, random);
  return chance < 0.13 ? written.subarray(0, random.between(0, written.length)) : written;
}

/** Compressed, or only declared so; includes large bodies that compress to few bytes. */
function compress(body: Buffer, random: Random): { coding: string; body: Buffer } {
  const coding = pick(
    ['gzip', 'gzip', 'gzip', 'deflate', 'br', 'gzip, gzip', 'identity', 'x'],
    random,
  );
  const chance = random.next();
  if (chance < 0.03)
    return { coding, body: gzipSync(Buffer.alloc(pick([1, 8, 64], random) * MIB, '[')) };
  if (chance < 0.2) return { coding, body };
  const packed = gzipSync(body, { level: 1 });
  if (chance < 0.4) return { coding, body: mutateBytes(packed, random) };
  return { coding, body: chance < 0.5 ? packed.subarray(0, -4) : packed };
}

/** Changes one or several of path, query, method, headers and body. */
export function mutateRequest(plain: PlainRequest, key: string, random: Random): SentRequest {
  const hasBody = plain.body !== undefined || plain.raw !== undefined;
  const method = random.next() < 0.03 ? pick(methods, random) : plain.method;
  const path = random.next() < (hasBody ? 0.2 : 0.85) ? mutatePath(plain.path, random) : plain.path;
  const sendsBody = method !== 'TRACE' && (hasBody ? random.next() < 0.97 : random.next() < 0.1);
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (plain.accept !== undefined) headers.accept = plain.accept;
  let body: Buffer | null = null;
  if (sendsBody) {
    body = bodyOf(plain, random);
    if (plain.finishBody !== undefined) body = plain.finishBody(body);
    headers['content-type'] = plain.raw?.type ?? 'application/json';
    if (random.next() < 0.04) headers['content-type'] = pick(oddTypes, random);
    if (random.next() < 0.04) {
      const packed = compress(body, random);
      headers['content-encoding'] = packed.coding;
      ({ body } = packed);
    }
  }
  if (random.next() < 0.03)
    headers.accept = pick(
      ['application/x-ndjson', 'text/html', '*/*', '', 'application/x-protobuf'],
      random,
    );
  if (random.next() < 0.05)
    headers['idempotency-key'] = pick(
      ['a', '', ' ', 'k'.repeat(300), 'a\tb', '"', '__proto__'],
      random,
    );
  return { method, path, headers, body };
}

/** A line that repeats the request, for the message of a failed test. */
export function showRequest({ method, path, headers, body }: SentRequest): string {
  const { authorization: _, ...others } = headers;
  const text =
    body === null
      ? ''
      : (body.length > 3_000 ? `${body.length} bytes, ` : '') +
        JSON.stringify(body.subarray(0, 3_000).toString('latin1'));
  return `${method} ${path.slice(0, 500)} ${JSON.stringify(others)} ${text}`;
}

/**
 * A body for a route that waits for a verdict or a job, with `wait_ms: 0` as its last member. A
 * body that is not an object, or whose own `wait_ms` is refused, is unchanged.
 */
export function withoutWait(body: Buffer): Buffer {
  let read: unknown;
  try {
    read = JSON.parse(body.toString('utf8'));
  } catch {
    return body;
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return body;
  const waitMs = 'wait_ms' in read ? read.wait_ms : 1;
  if (typeof waitMs !== 'number' || !(waitMs > 0)) return body;
  const last = `${Object.keys(read).length === 0 ? '' : ','}"wait_ms":0}`;
  return Buffer.concat([body.subarray(0, body.lastIndexOf('}')), Buffer.from(last)]);
}
