import type { GatewayDialect } from '../../domain';
import { dialectOfPath } from '../dialects/dialects';
import { holdsAssayKey, queryWithoutKeys } from '../forward/assay-key';

/** What the target of a request names: `/gateway/{route}/v1{path}`. */
export interface Address {
  readonly route: string;
  /** Path and query behind the route's base address. */
  readonly path: string;
  /** Of a POST to it; null: no call to a model, passed through and counted only. */
  readonly dialect: GatewayDialect | null;
}

/** Clients spell few targets and spell them often. */
const known = new Map<string, Address | null>();
const KNOWN_MAX = 1000;
const TARGET_CHARS_MAX = 300;

/** Null: no address of the gateway. */
export function readAddress(target: string): Address | null {
  const before = known.get(target);
  if (before !== undefined) return before;
  const address = parseAddress(target);
  if (known.size < KNOWN_MAX && target.length <= TARGET_CHARS_MAX) known.set(target, address);
  return address;
}

const form = /^\/gateway\/([a-z0-9][a-z0-9_-]{0,62})\/v1(\/[^?#]*)?(\?[^#]*)?$/;
/** Decodings after which a path says what it means; one that goes on changing is refused. */
const DECODINGS_MAX = 3;
/** Servers of Java take `..;x=1` for `..` (RFC 3986 3.3, parameters of a segment). */
const climbing = /^\.{1,2}(?:;.*)?$/;
const isControl = (character: string): boolean => character < ' ' || character === '\u007f';

/**
 * Whether a path would leave the base address of its route, however it is spelled: escaped once or more, with backslashes, with parameters
 * behind the dots, or with control characters that a server may drop. The stored key would go with it.
 */
function climbs(path: string): boolean {
  let plain = path;
  for (let n = 0; n <= DECODINGS_MAX; n++) {
    if (Array.from(plain).some(isControl)) return true;
    if (plain.split(/[/\\]/).some((segment) => climbing.test(segment))) return true;
    const next = plain.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (next === plain) return false;
    plain = next;
  }
  return true;
}

function parseAddress(target: string): Address | null {
  const match = form.exec(target);
  const path = match?.[2] ?? '';
  if (match === null || climbs(path) || holdsAssayKey(path)) return null;
  return { route: match[1] ?? '', path: path + queryWithoutKeys(match[3] ?? ''), dialect: dialectOfPath('POST', plainly(path)) };
}

/**
 * A path as most servers read it, whatever it was sent as: `//chat/completions/` and `/chat%2Fcompletions` are the same call to a model,
 * and a spelling is no way past the verifier. What goes upstream stays as it was sent.
 */
function plainly(path: string): string {
  const slashed = decoded(path)
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/');
  return (slashed.length > 1 && slashed.endsWith('/') ? slashed.slice(0, -1) : slashed).toLowerCase();
}

function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
