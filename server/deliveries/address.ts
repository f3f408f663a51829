import { z } from 'zod';
import {
  checkOutboundHeaders,
  checkOutboundUrl,
  type Ctx,
  outboundPolicy,
  refused,
} from '../platform';
import {
  type CreateDestination,
  type DestinationKind,
  type DestinationSends,
  sendsOf,
} from './input';

type Header = CreateDestination['headers'][number];

/** Where a destination is, once it was checked. */
export interface Address {
  /** What is stored in plain, and shown: of a chat's webhook its origin alone. */
  readonly shown: string;
  /** What secrets are bound to; null for e-mail, which has none. */
  readonly url: URL | null;
  /** The whole address, where it is a secret. */
  readonly secret: string | null;
}

const addressesMost = 20;

/**
 * Checks where a destination is, and the headers that are sent along.
 * @throws AssayError refused: an address or a header that may not be, headers where none are sent,
 * e-mail that the operator has not set up
 */
export function readAddress(
  ctx: Pick<Ctx, 'env'>,
  kind: DestinationKind,
  text: string,
  headers: readonly Header[],
): Address {
  if (headers.length > 0 && !hasHeaders(kind)) {
    throw refused('headers: must be left out', [{ path: 'headers', message: 'must be left out' }]);
  }
  if (kind === 'email')
    return { shown: readMailAddresses(ctx, text).join(', '), url: null, secret: null };
  const url = checkOutboundUrl(outboundPolicy(ctx.env), text);
  checkOutboundHeaders(headerMap(headers));
  if (kind !== 'slack') return { shown: text, url, secret: null };
  if (url.pathname === '/')
    throw noUrl('give the whole address of the webhook, which is its secret');
  return { shown: url.origin, url, secret: text };
}

const noUrl = (message: string) => refused(`url: ${message}`, [{ path: 'url', message }]);

const hasHeaders = (kind: DestinationKind): boolean => kind === 'webhook' || kind === 'otlp';

/** In lower case: what is sent along may not stand next to what is ours under the same name. */
export function headerMap(headers: readonly Header[]): ReadonlyMap<string, string> {
  return new Map(headers.map(({ name, value }) => [name.toLowerCase(), value]));
}

const MailAddress = z.email().max(200);

/** Each once; none has a character that could end a header (S-63). */
function readMailAddresses({ env }: Pick<Ctx, 'env'>, text: string): string[] {
  if (env.mail === null)
    throw noUrl('e-mail is not set up here: the operator sets ASSAY_SMTP_URL and ASSAY_MAIL_FROM');
  const parts = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  const wrong = parts.find((part) => !MailAddress.safeParse(part).success);
  if (wrong !== undefined) throw noUrl(`"${wrong.slice(0, 100)}" is not an e-mail address`);
  const addresses = [...new Set(parts)];
  if (addresses.length === 0 || addresses.length > addressesMost)
    throw noUrl(`needs one to ${addressesMost} e-mail addresses, with commas between`);
  return addresses;
}

/**
 * What a destination of this kind is sent. @throws AssayError refused for what the kind does not
 * take
 */
export function readSends(
  kind: DestinationKind,
  sends: readonly DestinationSends[] | undefined,
): DestinationSends[] {
  const allowed = sendsOf[kind];
  const wanted = [...new Set(sends ?? [allowed[0]])];
  const wrong = wanted.find((each) => !allowed.includes(each));
  if (wrong === undefined) return wanted;
  throw refused(`sends: ${kind} cannot send ${wrong}`, [
    {
      path: 'sends',
      message: `must be one of ${allowed.map((each) => `\`${each}\``).join(', ')} for the kind ${kind}`,
    },
  ]);
}
