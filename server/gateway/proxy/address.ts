import type { GatewayDialect } from '../../domain';
import { dialectOfPath } from '../dialects/dialects';
import { holdsAssayKey, queryWithoutKeys } from './assay-key';
import { pathFault } from './path-fault';

/** What the target of a request names: `/gateway/{route}/v1{path}`. */
export interface Address {
  readonly route: string;
  /** Path and query behind the route's base address, as they go upstream. */
  readonly path: string;
  /**
   * The path alone with its escapes read, and without a slash at its end, `/` where it is empty:
   * what the route's `allow_paths` is asked about.
   */
  readonly plainPath: string;
  /** Of a POST to it; null: no call to a model, passed through and counted only. */
  readonly dialect: GatewayDialect | null;
}

/** A target that goes nowhere, whatever the routes are. */
export interface AddressFault {
  /** A sentence for the client; repeats nothing of the target. */
  readonly fault: string;
}

/** Clients spell few targets and spell them often. */
const known = new Map<string, Address | AddressFault | null>();
const KNOWN_MAX = 1000;
const TARGET_CHARS_MAX = 300;

/** Null: no address of the gateway. */
export function readAddress(target: string): Address | AddressFault | null {
  const before = known.get(target);
  if (before !== undefined) return before;
  const address = parseAddress(target);
  if (known.size < KNOWN_MAX && target.length <= TARGET_CHARS_MAX) known.set(target, address);
  return address;
}

const form = /^\/gateway\/([a-z0-9][a-z0-9_-]{0,62})\/v1(\/[^?]*)?(\?.*)?$/;

function parseAddress(target: string): Address | AddressFault | null {
  if (!target.startsWith('/')) return { fault: 'the target is an absolute address' };
  if (target.includes('#')) return { fault: 'the target holds a fragment ("#")' };
  const mark = target.indexOf('?');
  const fault = pathFault(mark === -1 ? target : target.slice(0, mark));
  if (fault !== null) return { fault: `the path ${fault}` };
  const match = form.exec(target);
  if (match === null) return null;
  const path = match[2] ?? '';
  if (holdsAssayKey(path))
    return {
      fault: 'the path holds an Assay key, which never goes upstream: send it in "x-assay-key"',
    };
  const plainPath = plainly(path);
  return {
    route: match[1] ?? '',
    path: path + queryWithoutKeys(match[3] ?? ''),
    plainPath,
    // A spelling is no way past the verifier: some servers ignore case and parameters. What goes
    // upstream stays as it was sent.
    dialect: dialectOfPath('POST', plainPath.replace(/;[^/]*/g, '').toLowerCase()),
  };
}

/** A path without fault as servers read it. */
function plainly(path: string): string {
  const decoded = path.includes('%') ? decodeURIComponent(path) : path;
  const bare = decoded.endsWith('/') ? decoded.slice(0, -1) : decoded;
  return bare === '' ? '/' : bare;
}

/**
 * Whether a target is the address of a page (`http://host/gateway/…`), as proxies are sent it: the
 * gateway is none, and its host has no say in where a call goes.
 */
export function isAbsolute(target: string): boolean {
  return target.charCodeAt(0) !== 0x2f && /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\/gateway\//i.test(target);
}
