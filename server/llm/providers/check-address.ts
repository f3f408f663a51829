import { AssayError, checkOutboundUrl, type Ctx, outboundPolicy, refused } from '../../platform';

/**
 * The address of a model's server that is to be stored. `localhost` and every name below it are the
 * loopback address, whatever the machine's resolver says of them (RFC 6761, 6.3): they are refused
 * here already, and not only when they are called.
 * @param path the field that the address is in
 * @throws AssayError refused: an address that may not be called
 */
export function checkModelAddress({ env }: Pick<Ctx, 'env'>, path: string, text: string): URL {
  const no = (message: string): AssayError => refused(`${path}: ${message}`, [{ path, message }]);
  const url = checkUrl(env, text, no);
  const host = url.hostname.replace(/\.$/, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port;
  if (/(?:^|\.)localhost$/.test(host) && !env.outboundAllow.has(`${host}:${port}`)) {
    throw no('is not a public address; an operator can allow it in ASSAY_OUTBOUND_ALLOW');
  }
  return url;
}

/** What the outbound policy says of an address, under the name that the field has here. */
function checkUrl(env: Ctx['env'], text: string, no: (message: string) => AssayError): URL {
  try {
    return checkOutboundUrl(outboundPolicy(env), text);
  } catch (error) {
    throw error instanceof AssayError ? no(error.details[0]?.message ?? error.message) : error;
  }
}
