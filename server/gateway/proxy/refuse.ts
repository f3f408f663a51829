import type { GatewayDialect } from '../../domain';
import { asSentence, newId } from '../../platform';
import { dialectOf } from '../dialects/dialects';
import type { VerificationHeaders } from '../exchange';
import type { ClientAnswer } from './client-answer';
import { notVerified, setVerificationHeaders, unavailable } from './verification-headers';

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly verification?: VerificationHeaders;
}

/** An error of the gateway's own, in the shape that the client's library reads. */
export function refuse(answer: ClientAnswer, dialect: GatewayDialect, refusal: Refusal): void {
  const { response } = answer;
  if (response.headersSent || response.destroyed) return;
  const body = dialectOf(dialect).errorBody(
    refusal.status,
    refusal.code,
    asSentence(refusal.message),
  );
  const headers = [
    'content-type',
    'application/json',
    'content-length',
    String(body.length),
    'x-request-id',
    newId('req', new Date()),
  ];
  headers.push('x-content-type-options', 'nosniff');
  setVerificationHeaders(headers, refusal.verification ?? notVerified('error'));
  if (refusal.status === 503) headers.push('retry-after', '1');
  if (refusal.status === 401) headers.push('www-authenticate', 'Bearer');
  // A head that could not be written may have left its own words here.
  response.statusMessage = '';
  response.writeHead(refusal.status, headers);
  response.end(body);
}

/** The same to a client that has been sent the head of a stream: an event that says so. */
export function errorEvent(dialect: GatewayDialect, { status, code, message }: Refusal): Buffer {
  return dialectOf(dialect).errorEvent(status, code, asSentence(message));
}

/**
 * An envelope was asked for, and what came in its place cannot be read: the client did not ask for
 * it, and gets none of it.
 */
export const unreadable = {
  status: 502,
  code: 'malformed_answer',
  message:
    'the answer of the model was cut off or malformed and has no text that can be delivered; send the request again, or raise its limit of output tokens',
  verification: unavailable,
} as const;

/** The same answer, longer than is held. */
export const overlong = {
  status: 502,
  code: 'answer_too_long',
  message:
    'the answer has more than 1 MiB of text (the limit of a held answer) and ends here; ask for a shorter one',
} as const;
