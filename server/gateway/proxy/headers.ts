/**
 * Which headers pass (RFC 9110 7.6.1, R-70): what belongs to one connection stays on it, what is
 * Assay's stays here, what would route a call elsewhere or open a cloud's metadata service goes
 * nowhere (S-46, S-50).
 */

import { holdsAssayKey } from './assay-key';

type Kind = 'keep' | 'drop' | 'credential' | 'encoding' | 'length' | 'connection' | 'cookie';

const kinds = new Map<string, Kind>([
  ['connection', 'connection'],
  ['authorization', 'credential'],
  ['x-api-key', 'credential'],
  ['api-key', 'credential'],
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
 * Assay's own, and what names another host, path or method than the request's own to servers behind
 * proxies (S-46).
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
 * By the name as it was spelled, so that a known spelling costs one look-up. Bounded: names are the
 * sender's choice.
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
 * Of the console's own cookies, which a browser sends to every port of a host, none leaves and none
 * is set.
 */
const ownCookie = /^\s*(?:__Secure-|__Host-)?assay\b/i;

function withoutOwnCookies(value: string): string {
  if (!value.includes('assay') && !holdsAssayKey(value)) return value;
  return value
    .split(';')
    .filter((pair) => !ownCookie.test(pair) && !holdsAssayKey(pair))
    .join(';')
    .trim();
}

/** Names that a `Connection` header takes along; null: none but the usual words. */
function namedByConnection(value: string): readonly string[] | null {
  if (value === 'keep-alive' || value === 'close') return null;
  const names = value.split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '' && name !== 'keep-alive' && name !== 'close');
}

/** Of several `Connection` lines the names of all. */
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
  /** Set in place of the client's credentials; null: there is none to set. */
  readonly credential: readonly [name: string, value: string] | null;
  /** The client's credentials are its own for the upstream, and pass. */
  readonly passCredentials: boolean;
  /** The answer has to be readable as it comes. */
  readonly askIdentity: boolean;
  /** The body goes up as it comes, so its length is the client's to tell. */
  readonly keepLength: boolean;
}

/** What looks like a key of Assay where credentials are: mistyped or whole, it never leaves. */
const assayKey = /\basy_/i;

/**
 * The headers of a request as they go upstream, names and values in turn; `Host` and the
 * connection's own are the client's to write.
 */
export function requestHeaders(raw: readonly string[], rules: RequestHeaderRules): string[] {
  const headers: string[] = [];
  let named: readonly string[] | null = null;
  for (let n = 0; n < raw.length; n += 2) {
    const name = raw[n] ?? '';
    const value = raw[n + 1] ?? '';
    const kind = kindOf(name);
    if (kind === 'keep') {
      if (!holdsAssayKey(value) && !holdsAssayKey(name)) headers.push(name, value);
    } else if (kind === 'credential') {
      if (rules.passCredentials && !assayKey.test(value) && !holdsAssayKey(value))
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
  const kept =
    named === null || named.length === 0
      ? headers
      : without(headers, new Set(named.filter((name) => name !== 'content-length')));
  if (rules.askIdentity) kept.push('accept-encoding', 'identity');
  if (rules.credential !== null) kept.push(rules.credential[0], rules.credential[1]);
  return kept;
}

/** The head of an upstream's answer as it goes to the client. */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn. */
  readonly headers: string[];
  /** Lower case; empty: not told. */
  readonly contentType: string;
  /** Null: none, or `identity`. */
  readonly contentEncoding: string | null;
}

/**
 * What a server may write into a status line; undici's text of any other byte is not what the
 * upstream sent.
 */
const writableReason = /^[\t\x20-\x7e]*$/;

/**
 * Reads raw headers as undici hands them over. Framing stays with the body: `content-length`
 * passes, codings of the transfer do not.
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
  const kept =
    named === null || named.length === 0
      ? headers
      : without(
          headers,
          new Set(named.filter((name) => name !== 'content-length' && name !== 'content-type')),
        );
  return {
    status,
    statusText: writableReason.test(statusText) ? statusText : '',
    headers: kept,
    contentType,
    contentEncoding,
  };
}

/**
 * Raw trailers by the rules of headers: names and values as they go to the client. undici's type
 * says text; its raw form gives bytes.
 */
export function answerTrailers(raw: readonly (string | Buffer)[]): [name: string, value: string][] {
  const text = raw.map((each) => (typeof each === 'string' ? each : each.toString('latin1')));
  return text.flatMap((name, n): [string, string][] =>
    n % 2 === 0 && kindOf(name) === 'keep' ? [[name, text[n + 1] ?? '']] : [],
  );
}

/** The same head for a body of another length: `null` leaves the framing to the server. */
export function withLength(head: AnswerHead, bytes: number | null): AnswerHead {
  const headers = without(head.headers, bodyHeaders);
  if (bytes !== null) headers.push('content-length', String(bytes));
  return { ...head, headers };
}

/** True only of the bytes that came: another body has another length and another digest. */
const bodyHeaders = new Set([
  'content-length',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
  'etag',
  'accept-ranges',
]);
