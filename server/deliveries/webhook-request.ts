import { Webhook } from 'standardwebhooks';

/** How long a rotated secret still signs, next to its successor. */
const rotationMs = 24 * 3_600_000;

/** The text to seal after a rotation: the new secret, the previous one, and when that one ends. */
export function joinSigningSecrets(secret: string, previous: string, now: Date): string {
  return `${secret} ${previous} ${now.getTime() + rotationMs}`;
}

/** The secrets that sign at this time, the current one first. */
export function readSigningSecrets(opened: string, now: Date): readonly string[] {
  const [secret = '', previous, endsAt] = opened.split(' ');
  return previous === undefined || now.getTime() >= Number(endsAt) ? [secret] : [secret, previous];
}

export interface WebhookMessage {
  readonly type: string;
  readonly timestamp: unknown;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * A webhook call in the format of Standard Webhooks (standardwebhooks.com): `webhook-id` is the
 * delivery's id and the same for all attempts, `webhook-timestamp` is the attempt's time in
 * seconds, and `webhook-signature` has for each secret `v1,` followed by the base64 HMAC-SHA-256 of
 * `id.timestamp.body`.
 */
export function webhookRequest(
  deliveryId: string,
  secrets: readonly string[],
  now: Date,
  message: WebhookMessage,
): { readonly body: string; readonly headers: readonly (readonly [string, string])[] } {
  const body = JSON.stringify(message);
  return {
    body,
    headers: [
      ['content-type', 'application/json'],
      ['webhook-id', deliveryId],
      ['webhook-timestamp', String(Math.floor(now.getTime() / 1000))],
      [
        'webhook-signature',
        secrets.map((secret) => new Webhook(secret).sign(deliveryId, now, body)).join(' '),
      ],
    ],
  };
}
