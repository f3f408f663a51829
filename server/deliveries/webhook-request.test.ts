import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSigningSecret } from './destination';
import { joinSigningSecrets, readSigningSecrets, webhookRequest } from './webhook-request';

type Receive = (
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  secret: string,
  now: number,
) => unknown;

const docs = readFileSync(
  join(import.meta.dirname, '..', '..', 'docs', 'how-to', 'send-notifications.md'),
  'utf8',
);
const sample = /```js\n([^]*?)```/.exec(docs)?.[1] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'assay-receiver-'));
let receive: Receive;

beforeAll(async () => {
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, sample);
  ({ readWebhook: receive } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    readWebhook: Receive;
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

const now = new Date('2026-11-29T12:00:00Z');
const minute = 60_000;
const message = { type: 'test', timestamp: now.toISOString(), data: { text: 'äöü' } };
let serial = 0;

/** A request that Assay sends now, with these secrets. */
function sent(...secrets: readonly string[]) {
  const { body, headers } = webhookRequest(`dlv_${++serial}`, secrets, now, message);
  return { body, headers: Object.fromEntries(headers) as Readonly<Record<string, string>> };
}

describe('S-103 the receiver of the documentation', () => {
  const secret = newSigningSecret();

  test('S-103 accepts a request once: the second time it is a duplicate', () => {
    const { body, headers } = sent(secret);
    expect(receive(headers, body, secret, now.getTime() + minute)).toEqual(message);
    expect(receive(headers, body, secret, now.getTime() + minute)).toBeNull();
  });

  test.each<
    [
      what: string,
      change: (
        headers: Readonly<Record<string, string>>,
        body: string,
      ) => [Record<string, string | undefined>, string],
    ]
  >([
    ['another body', (headers, body) => [headers, body.replace('test', 'Test')]],
    ['the same JSON, written otherwise', (headers, body) => [headers, `${body} `]],
    ['another id', (headers, body) => [{ ...headers, 'webhook-id': 'dlv_other' }, body]],
    [
      'a later timestamp',
      (headers, body) => [
        { ...headers, 'webhook-timestamp': String(now.getTime() / 1000 + 1) },
        body,
      ],
    ],
    ['no timestamp', (headers, body) => [{ ...headers, 'webhook-timestamp': undefined }, body]],
    [
      'a timestamp that is no number',
      (headers, body) => [{ ...headers, 'webhook-timestamp': 'NaN' }, body],
    ],
    ['no signature', (headers, body) => [{ ...headers, 'webhook-signature': undefined }, body]],
    ['an empty signature', (headers, body) => [{ ...headers, 'webhook-signature': 'v1,' }, body]],
    [
      'half a signature',
      (headers, body) => [
        { ...headers, 'webhook-signature': headers['webhook-signature']?.slice(0, 20) },
        body,
      ],
    ],
  ])('S-103 refuses %s', (_what, change) => {
    const { body, headers } = sent(secret);
    const [changed, other] = change(headers, body);
    expect(() => receive(changed, other, secret, now.getTime())).toThrow(/signature|timestamp/);
  });

  test.each([-6 * minute, 6 * minute])('S-103 refuses a request of %d ms away', (away) => {
    const { body, headers } = sent(secret);
    expect(() => receive(headers, body, secret, now.getTime() + away)).toThrow('timestamp');
  });

  test('S-103 refuses the secret of another destination, and compares in constant time', () => {
    const { body, headers } = sent(secret);
    expect(() => receive(headers, body, newSigningSecret(), now.getTime())).toThrow('signature');
    expect(sample).toContain('timingSafeEqual(sent, expected)');
  });

  test('S-103 the library of Standard Webhooks accepts the same request', () => {
    const real = webhookRequest('dlv_now', [newSigningSecret(), secret], new Date(), message);
    const headers = Object.fromEntries(real.headers);
    expect(new Webhook(secret).verify(real.body, headers)).toEqual(message);
  });
});

describe('S-103 in a rotation', () => {
  const [before, after] = [newSigningSecret(), newSigningSecret()];
  const joined = joinSigningSecrets(after, before, now);
  const at = (hours: number) =>
    readSigningSecrets(joined, new Date(now.getTime() + hours * 60 * minute));

  test('S-103 both secrets sign for a day, then the new one alone', () => {
    for (const secret of [before, after]) {
      const { body, headers } = sent(...at(23.9));
      expect(receive(headers, body, secret, now.getTime())).toEqual(message);
    }
    const { body, headers } = sent(...at(24));
    expect(() => receive(headers, body, before, now.getTime())).toThrow('signature');
    expect(receive(headers, body, after, now.getTime())).toEqual(message);
  });

  test('S-103 a second rotation ends the first secret', () => {
    const third = newSigningSecret();
    const [current = ''] = at(1);
    expect(readSigningSecrets(joinSigningSecrets(third, current, now), now)).toEqual([
      third,
      after,
    ]);
    expect(readSigningSecrets(before, now)).toEqual([before]);
  });
});
