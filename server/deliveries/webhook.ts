import { Webhook } from 'standardwebhooks';

/**
 * A webhook call by Standard Webhooks (standardwebhooks.com): `webhook-id` is the delivery's id and
 * stays over its attempts, `webhook-timestamp` is the attempt's second, `webhook-signature` is
 * `v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body`.
 */
export function webhookRequest(
  deliveryId: string,
  secret: string,
  now: Date,
  message: {
    readonly type: string;
    readonly timestamp: unknown;
    readonly data: Readonly<Record<string, unknown>>;
  },
): { readonly body: string; readonly headers: readonly (readonly [string, string])[] } {
  const body = JSON.stringify(message);
  return {
    body,
    headers: [
      ['content-type', 'application/json'],
      ['webhook-id', deliveryId],
      ['webhook-timestamp', String(Math.floor(now.getTime() / 1000))],
      ['webhook-signature', new Webhook(secret).sign(deliveryId, now, body)],
    ],
  };
}
