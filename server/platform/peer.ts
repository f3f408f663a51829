import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { newSecret } from './ids';

/**
 * The network source of a request that Next passes on without its socket. `recordPeers` writes the
 * socket's remote address into a header of each request as it arrives, under a token of this
 * process that no client can know; `sourceOf` reads it back.
 */
const header = 'x-assay-peer';
const place = Symbol.for('assay.peer.token');

function peerToken(): string {
  const shared = globalThis as typeof globalThis & { [place]?: string };
  return (shared[place] ??= newSecret(16));
}

/** Records the peer of every request that this process serves from now on. */
export function recordPeers(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { readonly request: IncomingMessage };
    request.headers[header] = `${peerToken()} ${request.socket.remoteAddress ?? ''}`;
  });
}

/** Proxies whose `X-Forwarded-For` is trusted. */
export type TrustedProxies = readonly [range: ipaddr.IPv4 | ipaddr.IPv6, bits: number][];

/**
 * `10.0.0.0/8, 192.0.2.7`
 * @throws Error naming the entry that is neither an address nor a range
 */
export function readTrustedProxies(text: string): TrustedProxies {
  return text.split(',').flatMap((part): [ipaddr.IPv4 | ipaddr.IPv6, number][] => {
    const entry = part.trim();
    if (entry === '') return [];
    try {
      if (entry.includes('/')) return [ipaddr.parseCIDR(entry)];
      const address = ipaddr.process(entry);
      return [[address, address.kind() === 'ipv4' ? 32 : 128]];
    } catch {
      throw new Error(`"${entry.slice(0, 100)}" is not an IP address or range`);
    }
  });
}

/**
 * The source that a request is attributed to: the socket's address or, if that is a trusted proxy,
 * the last untrusted address in `X-Forwarded-For`. IPv6 by its first 64 bits, since one customer
 * owns the whole prefix. Null if the socket is unknown.
 */
export function sourceOf(proxies: TrustedProxies, headers: Headers): string | null {
  const [token, peer = ''] = (headers.get(header) ?? '').split(' ');
  if (token !== peerToken()) return null;
  let source = readAddress(peer);
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  while (source !== null && isTrusted(proxies, source)) {
    const before = readAddress(hops.pop() ?? '');
    if (before === null) break;
    source = before;
  }
  return source === null ? null : prefixOf(source);
}

function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function isTrusted(proxies: TrustedProxies, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return proxies.some(
    ([range, bits]) =>
      range.kind() === address.kind() && address.match([range, bits] as [ipaddr.IPv4, number]),
  );
}

function prefixOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
