import type { GatewayDialect } from '../../domain';
import { asSentence, dataHeaders, newId } from '../../platform';
import { dialectOf } from '../dialects/dialects';
import type { VerificationHeaders } from '../exchange';
import type { ClientAnswer } from './client-answer';
import {
  notVerified,
  setVerificationHeaders,
  verificationUnavailable,
} from './verification-headers';

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly outcome?: VerificationHeaders;
}

/** Sends an error of the gateway in the format of the client's library. */
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
  headers.push(...Object.entries(dataHeaders).flat());
  setVerificationHeaders(headers, refusal.outcome ?? notVerified('error'));
  if (refusal.status === 503) headers.push('retry-after', '1');
  if (refusal.status === 401) headers.push('www-authenticate', 'Bearer');
  // A failed attempt to write headers may have left its own message here.
  response.statusMessage = '';
  response.writeHead(refusal.status, headers);
  response.end(body);
}

/** The same error as an event of a stream, for a client that has already received the headers. */
export function errorEvent(dialect: GatewayDialect, { status, code, message }: Refusal): Buffer {
  return dialectOf(dialect).errorEvent(status, code, asSentence(message));
}

/**
 * The error for a reply that cannot be parsed although the gateway requested an envelope. The
 * client did not request an envelope, so no part of the reply is delivered.
 */
export const malformedAnswer = {
  status: 502,
  code: 'malformed_answer',
  message:
    'the answer of the model was cut off or malformed and has no text to deliver; send the request again, or raise its output token limit',
  outcome: verificationUnavailable,
} as const;

/** The error for an envelope that is too long to buffer. */
export const tooLong = {
  status: 502,
  code: 'answer_too_long',
  message:
    'the answer exceeds the limit of 1 MiB of text for buffered answers and ends here; request a shorter answer',
} as const;
