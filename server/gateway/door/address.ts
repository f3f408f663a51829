import type { GatewayDialect } from '../../domain';
import { dialectOfPath } from '../dialects/dialects';

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
/** A path that climbs would leave the base address, and the key would go with it. */
const climbs = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i;

function parseAddress(target: string): Address | null {
  const match = form.exec(target);
  const path = match?.[2] ?? '';
  if (match === null || climbs.test(path.replace(/%2f|%5c/gi, '/'))) return null;
  return { route: match[1] ?? '', path: path + (match[3] ?? ''), dialect: dialectOfPath('POST', plainly(path)) };
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
