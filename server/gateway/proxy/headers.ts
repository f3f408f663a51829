/**
 * Filters headers (RFC 9110 7.6.1, R-70). Dropped: hop-by-hop headers, Assay's own, and headers
 * that reroute a call or open a cloud metadata service (S-46, S-50).
 */

import { containsAssayKey } from './assay-key';

type Kind = 'keep' | 'drop' | 'credential' | 'encoding' | 'length' | 'connection' | 'cookie';

const kinds = new Map<string, Kind>([
  ['connection', 'connection'],
  ['authorization', 'credential'],
  ['x-api-key', 'credential'],
  ['api-key', 'credential'],
  ['x-goog-api-key', 'credential'],
  ['accept-encoding', 'encoding'],
  ['content-length', 'length'],
  ['cookie', 'cookie'],
  ['set-cookie', 'cookie'],
  ...[
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'expect',
    'host',
    'http2-settings',
    'metadata',
    'metadata-flavor',
    'x-google-metadata-request',
    'x-aws-ec2-metadata-token',
    'x-aws-ec2-metadata-token-ttl-seconds',
    'forwarded',
    'x-host',
    'x-http-method',
    'x-http-method-override',
    'x-method-override',
  ].map((name): [string, Kind] => [name, 'drop']),
]);
/**
 * Assay's own, and headers that override host, path or method for servers behind proxies (S-46).
 */
const droppedPrefixes = [
  'x-assay-',
  'x-portkey-',
  'x-forwarded-',
  'x-original-',
  'x-rewrite-',
  'x-envoy-',
];

/**
 * Cache by exact spelling, so that a known header costs one lookup. Bounded, since senders choose
 * the names.
 */
const bySpelling = new Map<string, Kind>();
const SPELLINGS_MAX = 2000;

function kindOf(spelling: string): Kind {
  const known = bySpelling.get(spelling);
  if (known !== undefined) return known;
  const name = spelling.toLowerCase();
  const kind =
    kinds.get(name) ??
    (droppedPrefixes.some((prefix) => name.startsWith(prefix)) ? 'drop' : 'keep');
  if (bySpelling.size < SPELLINGS_MAX) bySpelling.set(spelling, kind);
  return kind;
}

/**
 * Browsers send the console's cookies to every port of a host; the gateway forwards and sets none.
 */
const ownCookie = /^\s*(?:__Secure-|__Host-)?assay\b/i;

function withoutOwnCookies(value: string): string {
  if (!value.includes('assay') && !containsAssayKey(value)) return value;
  return value
    .split(';')
    .filter((pair) => !ownCookie.test(pair) && !containsAssayKey(pair))
    .join(';')
    .trim();
}

/** Headers listed in a `Connection` header; null means only the usual tokens. */
function namedByConnection(value: string): readonly string[] | null {
  if (value === 'keep-alive' || value === 'close') return null;
  const names = value.split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '' && name !== 'keep-alive' && name !== 'close');
}

/** Merges several `Connection` headers. */
const alsoNamed = (before: readonly string[] | null, value: string): readonly string[] | null => {
  const names = namedByConnection(value);
  return before === null || names === null ? (names ?? before) : [...before, ...names];
};

function without(headers: readonly string[], names: ReadonlySet<string>): string[] {
  return headers.flatMap((name, n) =>
    n % 2 === 0 && !names.has(name.toLowerCase()) ? [name, headers[n + 1] ?? ''] : [],
  );
}

export interface RequestHeaderRules {
  /** Replaces the client's credentials; null if there is nothing to set. */
  readonly credential: readonly [name: string, value: string] | null;
  /** The client sent its own upstream credentials, which are forwarded. */
  readonly passCredentials: boolean;
  /** The answer must not be compressed. */
  readonly askIdentity: boolean;
  /** The body is streamed, so the client's length applies. */
  readonly keepLength: boolean;
}

/** Anything that looks like an Assay key in a credential never goes upstream, valid or not. */
const assayKey = /\basy_/i;

/**
 * The headers sent upstream, names and values in turn; the HTTP client writes `Host` and the
 * connection headers.
 */
export function requestHeaders(raw: readonly string[], rules: RequestHeaderRules): string[] {
  const headers: string[] = [];
  let named: readonly string[] | null = null;
  for (let n = 0; n < raw.length; n += 2) {
    const name = raw[n] ?? '';
    const value = raw[n + 1] ?? '';
    const kind = kindOf(name);
    if (kind === 'keep') {
      if (!containsAssayKey(value) && !containsAssayKey(name)) headers.push(name, value);
    } else if (kind === 'credential') {
      if (rules.passCredentials && !assayKey.test(value) && !containsAssayKey(value))
        headers.push(name, value);
    } else if (kind === 'encoding') {
      if (!rules.askIdentity) headers.push(name, value);
    } else if (kind === 'length') {
      if (rules.keepLength) headers.push(name, value);
    } else if (kind === 'connection') named = alsoNamed(named, value);
    else if (kind === 'cookie') {
      const cookies = withoutOwnCookies(value);
      if (cookies !== '') headers.push(name, cookies);
    }
  }
  const forwarded =
    named === null || named.length === 0
      ? headers
      : without(headers, new Set(named.filter((name) => name !== 'content-length')));
  if (rules.askIdentity) forwarded.push('accept-encoding', 'identity');
  if (rules.credential !== null) forwarded.push(rules.credential[0], rules.credential[1]);
  return forwarded;
}

/** The head of an upstream's answer, to send to the client. */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn. */
  readonly headers: string[];
  /** Lower case; empty: not sent. */
  readonly contentType: string;
  /** Null if none, or `identity`. */
  readonly contentEncoding: string | null;
}

/** A valid status text; undici alters any other bytes. */
const writableReason = /^[\t\x20-\x7e]*$/;

/**
 * Parses undici's raw headers. Framing belongs to the body: `content-length` passes, transfer
 * codings do not.
 */
export function answerHead(status: number, statusText: string, raw: readonly Buffer[]): AnswerHead {
  const headers: string[] = [];
  let named: readonly string[] | null = null;
  let contentType = '';
  let contentEncoding: string | null = null;
  for (let n = 0; n < raw.length; n += 2) {
    const name = raw[n]?.toString('latin1') ?? '';
    const value = raw[n + 1]?.toString('latin1') ?? '';
    const kind = kindOf(name);
    if (kind === 'drop') continue;
    if (kind === 'connection') {
      named = alsoNamed(named, value);
      continue;
    }
    if (kind === 'cookie' && ownCookie.test(value)) continue;
    headers.push(name, value);
    if (name.length === 12 && name.toLowerCase() === 'content-type')
      contentType = value.toLowerCase();
    else if (name.length === 16 && name.toLowerCase() === 'content-encoding') {
      const coding = value.trim().toLowerCase();
      contentEncoding = coding === '' || coding === 'identity' ? null : coding;
    }
  }
  const forwarded =
    named === null || named.length === 0
      ? headers
      : without(
          headers,
          new Set(named.filter((name) => name !== 'content-length' && name !== 'content-type')),
        );
  return {
    status,
    statusText: writableReason.test(statusText) ? statusText : '',
    headers: forwarded,
    contentType,
    contentEncoding,
  };
}

/** Filters raw trailers like headers. undici's type is strings, but its raw form passes bytes. */
export function answerTrailers(raw: readonly (string | Buffer)[]): [name: string, value: string][] {
  const text = raw.map((each) => (typeof each === 'string' ? each : each.toString('latin1')));
  return text.flatMap((name, n): [string, string][] =>
    n % 2 === 0 && kindOf(name) === 'keep' ? [[name, text[n + 1] ?? '']] : [],
  );
}

/** The head for a body of another length; null leaves the framing to the server. */
export function withLength(head: AnswerHead, bytes: number | null): AnswerHead {
  const headers = without(head.headers, bodyHeaders);
  if (bytes !== null) headers.push('content-length', String(bytes));
  return { ...head, headers };
}

/** Valid only for the original bytes. */
const bodyHeaders = new Set([
  'content-length',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
  'etag',
  'accept-ranges',
]);
