import { AssayError, checkOutboundUrl, type Ctx, outboundPolicy, refused } from '../../platform';

/**
 * Checks the address of a model server before it is stored. `localhost` and every name below it are
 * the loopback address, regardless of the machine's resolver (RFC 6761, 6.3), so they are refused
 * here, not only when called.
 * @param path the field that contains the address
 * @throws AssayError refused: a forbidden address
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

/** The outbound policy's error for an address, under this field's name. */
function checkUrl(env: Ctx['env'], text: string, no: (message: string) => AssayError): URL {
  try {
    return checkOutboundUrl(outboundPolicy(env), text);
  } catch (error) {
    throw error instanceof AssayError ? no(error.details[0]?.message ?? error.message) : error;
  }
}
