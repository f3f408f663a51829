import { createHmac, timingSafeEqual } from 'node:crypto';

/** Slack recommends refusing older requests, which may be replays. */
const maxAgeSeconds = 300;

/** The signed parts of a request, as received. */
interface SignedRequest {
  /** `X-Slack-Request-Timestamp`: seconds since 1970. */
  readonly timestamp: string | undefined;
  /** `X-Slack-Signature`. */
  readonly signature: string | undefined;
  readonly body: Buffer;
}

/**
 * Whether Slack signed the request with `secret` in the last five minutes. The signature is `v0=`
 * and the hex HMAC-SHA-256 of `v0:timestamp:body`
 * (docs.slack.dev/authentication/verifying-requests-from-slack). Takes the same time for every
 * wrong signature.
 */
export function isSignedBySlack(
  secret: string,
  { timestamp = '', signature = '', body }: SignedRequest,
  now: Date,
): boolean {
  const expected = Buffer.from(slackSignature(secret, timestamp, body));
  const sent = Buffer.alloc(expected.length);
  const isWhole = sent.write(signature) === expected.length && signature.length === sent.length;
  const isEqual = timingSafeEqual(sent, expected);
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  return isEqual && isWhole && /^\d{1,12}$/.test(timestamp) && ageSeconds <= maxAgeSeconds;
}

/** @internal Only tests use it. */
export function slackSignature(secret: string, timestamp: string, body: Buffer): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;
}
