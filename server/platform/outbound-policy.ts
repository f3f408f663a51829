import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Env } from './env';
import { refused } from './errors';
import type { OwnServices } from './own-services';

/**
 * The addresses that this process may call (reliability.md section 6, "outbound calls"; api.md,
 * ASSAY_OUTBOUND_ALLOW): public addresses over http and https, and otherwise only those that the
 * operator lists.
 */
export interface OutboundPolicy {
  /** `host:port`, lower case, IPv6 in brackets: as `readOutboundAllow` returns them. */
  readonly allow: { has(hostAndPort: string): boolean };
  /** Services that are forbidden even if `allow` lists them; omitted: none. */
  readonly own?: OwnServices;
}

/** The policy of a process. */
export function outboundPolicy({
  outboundAllow,
  ownServices,
}: Pick<Env, 'outboundAllow' | 'ownServices'>): OutboundPolicy {
  return { allow: outboundAllow, own: ownServices };
}

/**
 * `127.0.0.1:9999,ollama.internal:11434`
 * @throws Error naming the invalid entry
 */
export function readOutboundAllow(text: string): ReadonlySet<string> {
  const entries = text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()]));
  return new Set(
    entries.map((entry) => {
      const url =
        /:\d+$/.test(entry) && URL.canParse(`http://${entry}`) ? new URL(`http://${entry}`) : null;
      if (
        url === null ||
        url.pathname !== '/' ||
        url.username !== '' ||
        url.search !== '' ||
        url.hash !== ''
      ) {
        throw new Error(`"${entry}" is not host:port`);
      }
      return hostAndPort(url);
    }),
  );
}

/**
 * Services below 1024 and these ports are not HTTP receivers of verdicts, and many execute commands
 * from any client (S-44).
 */
const closedPorts = new Set([
  1433, 1521, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5433, 5672, 5900, 5984, 6000, 6379,
  6443, 6667, 8500, 9042, 9092, 9200, 9300, 10250, 11211, 27017, 50070,
]);

/**
 * Headers that unlock the metadata services of clouds, or belong to the connection (S-46, S-50).
 */
const closedHeaders = new Set([
  'metadata',
  'metadata-flavor',
  'x-google-metadata-request',
  'x-aws-ec2-metadata-token',
  'x-aws-ec2-metadata-token-ttl-seconds',
  'host',
  'connection',
  'content-length',
  'content-encoding',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Checks an address as far as possible without resolving names.
 * @throws AssayError refused (scheme, credentials, port, a service of this instance, a private
 * address)
 */
export function checkOutboundUrl(policy: OutboundPolicy, text: string): URL {
  const no = (message: string) => refused(`url: ${message}`, [{ path: 'url', message }]);
  // The parser drops tabs, line breaks and surrounding blanks, and treats "\" as "/": a person who
  // reads the text would see another address.
  if (/[\s\\]/.test(text) || !URL.canParse(text))
    throw no('must be a URL that begins with https:// or http://');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw no('must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw no('must not contain a user name or password; use a header');
  if (url.hash !== '') throw no('must not contain "#"');
  const port = portOf(url);
  if (policy.own?.has(bareHost(url), port))
    throw no('is a service of this installation; use another address');
  if (policy.allow.has(hostAndPort(url))) return url;
  if ((port < 1024 && port !== 80 && port !== 443) || closedPorts.has(port))
    throw no(`has the port ${port}, which is not for HTTP`);
  const host = bareHost(url);
  if (isIP(host) !== 0 && !isPublicAddress(host))
    throw no('is not a public address; an operator can allow it in ASSAY_OUTBOUND_ALLOW');
  return url;
}

/**
 * Checks the names and values of extra headers.
 * @throws AssayError refused
 */
export function checkOutboundHeaders(headers: ReadonlyMap<string, string>): void {
  for (const [name, value] of headers) {
    const no = (message: string) =>
      refused(`headers: ${message}`, [{ path: `headers.${name}`, message }]);
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name))
      throw no('must have names of letters, digits and -');
    if (!/^[\x20-\x7e]{0,4000}$/.test(value))
      throw no(`must have a value of at most 4000 printable ASCII characters for "${name}"`);
    if (closedHeaders.has(name.toLowerCase())) throw no(`must not set "${name}"`);
  }
}

/** Whether the operator listed this host and port. */
export function isAllowedByOperator(policy: OutboundPolicy, url: URL): boolean {
  return policy.allow.has(hostAndPort(url));
}

/**
 * True for addresses of the public Internet that do not embed or forward to another address (S-42).
 */
export function isPublicAddress(text: string): boolean {
  if (text.includes('%') || isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4)
    return address.range() === 'unicast' && !azureWire.has(address.toString());
  if (address.isIPv4MappedAddress()) return isPublicAddress(address.toIPv4Address().toString());
  // Only 2000::/3 is allocated; addresses that embed an IPv4 one (6to4, Teredo, NAT64) have their
  // own ranges.
  return address.range() === 'unicast' && address.match(globalUnicast);
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Public by its range, but in Azure a service of the host. */
const azureWire = new Set(['168.63.129.16']);

/** Without brackets. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function hostAndPort(url: URL): string {
  return `${url.hostname.replace(/\.$/, '')}:${portOf(url)}`;
}
