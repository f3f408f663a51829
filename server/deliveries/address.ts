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

/** The validated address of a destination. */
export interface DestinationAddress {
  /** The part stored and shown in plain text; for a Slack webhook, only its origin. */
  readonly shown: string;
  /** The URL that secrets are bound to; null for e-mail, which has none. */
  readonly url: URL | null;
  /** The whole address if it is a secret. */
  readonly secret: string | null;
}

const maxAddresses = 20;

/**
 * Validates the address of a destination and its additional headers.
 * @throws AssayError refused: a forbidden address or header, headers for a kind without them, or
 * e-mail that the operator has not set up
 */
export function readDestinationAddress(
  ctx: Pick<Ctx, 'env'>,
  kind: DestinationKind,
  text: string,
  headers: readonly Header[],
): DestinationAddress {
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

/** Uses lower-case names, because a custom header must not duplicate one of ours. */
export function headerMap(headers: readonly Header[]): ReadonlyMap<string, string> {
  return new Map(headers.map(({ name, value }) => [name.toLowerCase(), value]));
}

const MailAddress = z.email().max(200);

/** The addresses without duplicates, and without characters that could end a header (S-63). */
function readMailAddresses({ env }: Pick<Ctx, 'env'>, text: string): string[] {
  if (env.mail === null)
    throw noUrl('e-mail is not set up here: the operator sets ASSAY_SMTP_URL and ASSAY_MAIL_FROM');
  const parts = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  const wrong = parts.find((part) => !MailAddress.safeParse(part).success);
  if (wrong !== undefined) throw noUrl(`"${wrong.slice(0, 100)}" is not an e-mail address`);
  const addresses = [...new Set(parts)];
  if (addresses.length === 0 || addresses.length > maxAddresses)
    throw noUrl(`needs one to ${maxAddresses} e-mail addresses, with commas between`);
  return addresses;
}

/**
 * The events sent to a destination of this kind.
 * @throws AssayError refused for events that the kind does not accept
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

/** @throws AssayError refused for all verdicts in a chat, which would hide those for a person */
export function refuseFlood(
  kind: DestinationKind,
  sends: readonly string[],
  outcomes: readonly string[],
): void {
  if (kind !== 'slack' || !sends.includes('verdicts') || outcomes.length > 0) return;
  const message = 'must have at least one item, such as `needs_review`, to send verdicts to a chat';
  throw refused(`outcomes: ${message}`, [{ path: 'outcomes', message }]);
}

/** @throws AssayError refused for a kind without buttons */
export function refuseSigningSecret(
  kind: DestinationKind,
  secret: string | null | undefined,
): void {
  if (kind === 'slack' || secret === undefined || secret === null) return;
  const message = 'must be left out, because only the kind slack has buttons';
  throw refused(`signing_secret: ${message}`, [{ path: 'signing_secret', message }]);
}
