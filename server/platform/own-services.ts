import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * The listeners of this instance itself: console, edge, PostgreSQL and Redis. No address that a
 * tenant supplies may be one of these, even if the operator lists addresses of this machine in
 * ASSAY_OUTBOUND_ALLOW. A webhook to the edge would be a caller inside the machine, and a model
 * behind the gateway itself would be a loop.
 */
export interface OwnServices {
  /** `host`: a name or an address, without brackets. */
  has(host: string, port: number): boolean;
}

const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
};

/**
 * @param ports that this machine's processes listen on
 * @param urls of services that may be on this machine or another one; invalid URLs are ignored
 * @param ownAddresses the addresses of this machine's interfaces
 */
export function createOwnServices(
  ports: readonly number[],
  urls: readonly (string | null)[],
  ownAddresses: () => readonly string[] = interfaceAddresses,
): OwnServices {
  const services = urls.flatMap((text) => {
    if (text === null || !URL.canParse(text)) return [];
    const url = new URL(text);
    const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port);
    return port === undefined ? [] : [{ host: plainHost(url.hostname), port }];
  });
  const isThisMachine = (host: string): boolean =>
    isLocalName(host) ||
    isLocalAddress(host) ||
    (isIP(host) !== 0 && ownAddresses().some((each) => sameAddress(each, host)));
  const localPorts = (): ReadonlySet<number> =>
    new Set([
      ...ports,
      ...services.filter(({ host }) => isThisMachine(host)).map(({ port }) => port),
    ]);
  return {
    has(text, port) {
      const host = plainHost(text);
      if (
        services.some(
          (each) => each.port === port && (each.host === host || sameAddress(each.host, host)),
        )
      )
        return true;
      return localPorts().has(port) && isThisMachine(host);
    },
  };
}

const plainHost = (text: string): string =>
  text
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

function isLocalName(host: string): boolean {
  return /(?:^|\.)localhost$/.test(host) || host === hostname().toLowerCase();
}

function isLocalAddress(host: string): boolean {
  if (isIP(host) === 0) return false;
  const range = ipaddr.process(host).range();
  return range === 'loopback' || range === 'unspecified';
}

function sameAddress(one: string, other: string): boolean {
  return (
    isIP(one) !== 0 &&
    isIP(other) !== 0 &&
    ipaddr.process(one).toNormalizedString() === ipaddr.process(other).toNormalizedString()
  );
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).map(({ address }) => address.replace(/%.*$/, '')),
  );
}
