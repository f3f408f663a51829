import type { GatewayDialect } from '../../domain';
import { type ApiPath, dialectOfPath, readApiPath } from '../dialects/paths';
import { containsAssayKey, queryWithoutKeys } from './assay-key';
import { pathFault } from './path-fault';

/** A parsed request target: `/gateway/{route}` and the path of an API. */
export interface Address extends Pick<ApiPath, 'below' | 'keyHeader' | 'errors'> {
  readonly route: string;
  /** Path and query below the route's base URL or the root of its server, as sent upstream. */
  readonly path: string;
  /** The key in the query of Google's API (`?key=…`); null if none. */
  readonly queryKey: string | null;
  /**
   * The decoded path within the API without a trailing slash, `/` if empty; matched against the
   * route's `allow_paths`.
   */
  readonly plainPath: string;
  /**
   * The API of a model call (POST); null means any other request, which is passed through and only
   * counted.
   */
  readonly dialect: GatewayDialect | null;
}

/** A target that is invalid for every route. */
export interface AddressFault {
  /** A sentence for the client; does not repeat the target. */
  readonly fault: string;
}

/** Cache: clients send the same few targets repeatedly. */
const known = new Map<string, Address | AddressFault | null>();
const KNOWN_MAX = 1000;
const TARGET_CHARS_MAX = 300;

/** Null if it is not an address of the gateway. */
export function readAddress(target: string): Address | AddressFault | null {
  const before = known.get(target);
  if (before !== undefined) return before;
  const address = parseAddress(target);
  if (known.size < KNOWN_MAX && target.length <= TARGET_CHARS_MAX) known.set(target, address);
  return address;
}

const form = /^\/gateway\/([a-z0-9][a-z0-9_-]{0,62})(\/[^?]*)(\?.*)?$/;

function parseAddress(target: string): Address | AddressFault | null {
  if (!target.startsWith('/')) return { fault: 'the target is an absolute address' };
  if (target.includes('#')) return { fault: 'the target contains a fragment ("#")' };
  const mark = target.indexOf('?');
  const fault = pathFault(mark === -1 ? target : target.slice(0, mark));
  if (fault !== null) return { fault: `the path ${fault}` };
  const match = form.exec(target);
  if (match === null) return null;
  const api = readApiPath(match[2] ?? '');
  if (api === null) return null;
  const { below, sent, operation, keyHeader, errors } = api;
  if (containsAssayKey(sent))
    return {
      fault: 'the path contains an Assay key, which never goes upstream: send it in "x-assay-key"',
    };
  const plainPath = plainly(operation);
  const query = match[3] ?? '';
  return {
    route: match[1] ?? '',
    below,
    path: sent + queryWithoutKeys(query),
    queryKey: keyHeader === 'x-goog-api-key' ? new URLSearchParams(query).get('key') : null,
    plainPath,
    keyHeader,
    errors,
    // Some servers ignore case and parameters, so another spelling must not bypass the verifier.
    // The target is sent unchanged.
    dialect: dialectOfPath('POST', plainPath.replace(/;[^/]*/g, '').toLowerCase()),
  };
}

/** The path without the key in its query, for a call with the stored key. */
export function withoutQueryKey({ path, queryKey }: Address): string {
  const mark = path.indexOf('?');
  if (queryKey === null || mark === -1) return path;
  const parameters = path
    .slice(mark + 1)
    .split('&')
    .filter((parameter) => !new URLSearchParams(parameter).has('key'));
  return path.slice(0, mark) + (parameters.length === 0 ? '' : `?${parameters.join('&')}`);
}

/** A valid path as servers decode it. */
function plainly(path: string): string {
  const decoded = path.includes('%') ? decodeURIComponent(path) : path;
  const bare = decoded.endsWith('/') ? decoded.slice(0, -1) : decoded;
  return bare === '' ? '/' : bare;
}

/**
 * Whether a target is an absolute URL (`http://host/gateway/…`), as sent to proxies. The gateway is
 * not a forward proxy, so it ignores the host.
 */
export function isAbsolute(target: string): boolean {
  return target.charCodeAt(0) !== 0x2f && /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\/gateway\//i.test(target);
}
