import { expect, test } from 'vitest';
import { z } from 'zod';
import { OutboundError } from '../../platform';
import { faultOf, readRetryAfter, redact } from './fault';
import { mayBeStrict } from './model';
import type { Exchange } from './provider-fetch';
import { readTokens } from './read-reply';
import { storedPart } from './record';

const now = new Date('2026-01-01T00:00:00Z');
const faultFor = (
  status: number | null,
  body: string | null = null,
  fault: Exchange['fault'] = null,
): Exchange => ({
  status,
  headers: new Map(),
  body,
  fault,
});

test.each([
  ['7', 7000],
  ['0', 0],
  ['1.5', 1500],
  [' 3 ', 3000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', null],
  ['abc', null],
  ['-5', null],
  ['', null],
  ['1e9', null],
  ['0x10', null],
  ['2026', 2_026_000],
])('R-51 Retry-After "%s" is %s', (value, ms) => {
  expect(readRetryAfter(new Map([['retry-after', value]]), now)).toBe(ms);
});

test('R-51 milliseconds take precedence over seconds', () => {
  const headers = new Map([
    ['retry-after-ms', '250'],
    ['retry-after', '1'],
  ]);
  expect(readRetryAfter(headers, now)).toBe(250);
});

test.each([
  [faultFor(200, '<html>'), 'bad_reply'],
  [faultFor(401), 'unauthorized'],
  [faultFor(429), 'rate_limited'],
  [faultFor(500), 'overloaded'],
  [faultFor(302), 'refused'],
  [faultFor(null), 'refused'],
  [faultFor(null, null, new OutboundError('timeout', 'x')), 'timeout'],
  [faultFor(200, null, new OutboundError('too_large', 'x')), 'too_large'],
  [faultFor(null, null, new OutboundError('unreachable', 'x')), 'unreachable'],
  [faultFor(200, null, new OutboundError('refused', 'x')), 'refused'],
])('R-50 R-53 R-54 R-56 each kind of failure has one class: %#', (exchange, errorClass) => {
  expect(faultOf(new Error('what the SDK says'), exchange, false, now)).toMatchObject({
    state: 'failed',
    errorClass,
  });
  expect(faultOf(new Error('x'), exchange, true, now)).toMatchObject({ errorClass: 'aborted' });
});

test('R-53 a provider’s error message is shortened to one storable line', () => {
  const message = `a\u0000b\r\n${'x'.repeat(1000)}`;
  const fault = faultOf(
    new Error('x'),
    faultFor(400, JSON.stringify({ error: { message } })),
    false,
    now,
  );
  expect(fault.message).toMatch(/^400: a␀b x+$/);
  expect(fault.message.length).toBeLessThan(320);
  for (const body of [
    '',
    'null',
    '[]',
    '{"error":7}',
    '{"error":null}',
    '"text"',
    '{"error":{"message":{}}}',
  ]) {
    expect(faultOf(new Error('x'), faultFor(400, body), false, now).message, body).toBe('400');
  }
});

test.each([
  ['wrong key sk-abcdefghijkl given', null],
  ['wrong key sk-proj-ab***************wxyz given', null],
  ['AIzaSyA1234567890', null],
  ['Authorization: Bearer abcdefghijkl', null],
  ['it is my-own-secret', 'my-own-secret'],
  ['my-own-secretmy-own-secret', 'my-own-secret'],
])('S-101 "%s" contains no key', (text, key) => {
  const shown = redact(text, key);
  expect(shown).toContain('[key]');
  expect(shown).not.toMatch(/abcdef|1234567|my-own|wxyz/);
});

test('S-101 redacting a key of a few letters, as local servers accept, leaves words intact', () => {
  expect(redact('the ollama server', 'ollama')).toBe('the ollama server');
});

test('R-53 8 KiB of a reply are stored, cut at a character boundary, in a form that PostgreSQL accepts', () => {
  for (const reply of [
    'x'.repeat(9000),
    'ü'.repeat(9000),
    '🔑'.repeat(9000),
    `${'x'.repeat(8191)}ü`,
    'a\u0000b\ud800c'.repeat(3000),
  ]) {
    const kept = storedPart(reply);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(8192);
    expect(Buffer.byteLength(kept)).toBeGreaterThan(8180);
    expect(kept).not.toContain('\u0000');
    expect(kept.isWellFormed()).toBe(true);
  }
  expect(storedPart('a\u0000b')).toBe('a␀b');
});

test.each([
  [undefined, null],
  [0, 0],
  [17, 17],
  [-1, null],
  [1.5, null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
  [1e12, null],
])('X-11 %s tokens are %s', (reported, read) => expect(readTokens(reported)).toBe(read));

test('R-53 a schema is strict if every object is closed and requires all its members', () => {
  const strict = z.strictObject({
    a: z.string(),
    b: z.array(z.strictObject({ c: z.number().nullable() })),
  });
  expect(mayBeStrict(z.toJSONSchema(strict))).toBe(true);
  expect(mayBeStrict(z.toJSONSchema(z.strictObject({ a: z.string().optional() })))).toBe(false);
  expect(mayBeStrict(z.toJSONSchema(z.strictObject({ a: z.looseObject({}) })))).toBe(false);
  expect(mayBeStrict(z.toJSONSchema(z.strictObject({ a: z.record(z.string(), z.string()) })))).toBe(
    false,
  );
});
