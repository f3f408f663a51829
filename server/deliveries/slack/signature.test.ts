import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLinkCode, readLinkCode } from './link-code';
import { isSignedBySlack, slackSignature } from './signature';

const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const at = new Date(1_531_420_618_000);

/** The example of docs.slack.dev/authentication/verifying-requests-from-slack. */
const body = Buffer.from(
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
);
const documented = {
  timestamp: '1531420618',
  signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  body,
};

test('the documented example is genuine', () => {
  expect(isSignedBySlack(secret, documented, at)).toBe(true);
});

test('a changed byte of the body, the time, the signature or the secret is refused', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.constantFrom('body', 'timestamp', 'signature', 'secret'),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (bytes, part, place, change) => {
        const sent = Buffer.from(bytes);
        const timestamp = String(at.getTime() / 1000);
        const signature = slackSignature(secret, timestamp, sent);
        const signed = { timestamp, signature, body: sent };
        expect(isSignedBySlack(secret, signed, at)).toBe(true);
        const changed = (text: Buffer): Buffer => {
          const copy = Buffer.from(text);
          const n = place % copy.length;
          copy[n] = (copy[n] ?? 0) ^ change;
          return copy;
        };
        const text = (of: string) => changed(Buffer.from(of, 'latin1')).toString('latin1');
        const forged = {
          body: { ...signed, body: changed(sent) },
          timestamp: { ...signed, timestamp: text(timestamp) },
          signature: { ...signed, signature: text(signature) },
          secret: signed,
        }[part];
        const held = part === 'secret' ? text(secret) : secret;
        expect(isSignedBySlack(held, forged, at)).toBe(false);
      },
    ),
  );
});

test('a cut, extended or missing signature is refused, and a timestamp that is not digits', () => {
  const { signature } = documented;
  for (const wrong of [undefined, '', 'v0=', signature.slice(0, -1), `${signature}0`])
    expect(isSignedBySlack(secret, { ...documented, signature: wrong }, at)).toBe(false);
  for (const timestamp of [undefined, '', ' 1531420618', '1531420618.5', '0x5b47a00a']) {
    const signed = { timestamp, signature: slackSignature(secret, timestamp ?? '', body), body };
    expect(isSignedBySlack(secret, signed, at)).toBe(false);
  }
});

test('a request is genuine for five minutes', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000, max: 100_000 }), (seconds) => {
      const now = new Date(at.getTime() + seconds * 1000);
      expect(isSignedBySlack(secret, documented, now)).toBe(Math.abs(seconds) <= 300);
    }),
  );
});

const user = { teamId: 'T0', id: 'U1', name: 'ada' };

test('a code to link is genuine for fifteen minutes, unchanged, and under its own secret', () => {
  const code = createLinkCode(secret, { destinationId: 'dst_1', user }, at);
  const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000);
  expect(readLinkCode(secret, code, later(15))).toEqual({ destinationId: 'dst_1', user });
  expect(readLinkCode(secret, code, later(15.1))).toBeNull();
  expect(readLinkCode(`${secret}x`, code, at)).toBeNull();
  const [claims = '', signature = ''] = code.split('.');
  const other = Buffer.from(
    Buffer.from(claims, 'base64url').toString().replace('U1', 'U2'),
  ).toString('base64url');
  expect(readLinkCode(secret, `${other}.${signature}`, at)).toBeNull();
  for (const wrong of ['', '.', claims, `${claims}.`])
    expect(readLinkCode(secret, wrong, at)).toBeNull();
});
