import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** A user of Slack, as named in a request that Slack signed. */
export interface SlackUser {
  readonly teamId: string;
  readonly id: string;
  /** Displayed only. */
  readonly name: string;
}

interface LinkCode {
  readonly destinationId: string;
  readonly user: SlackUser;
}

const Claims = z.strictObject({
  destinationId: z.string().min(1).max(200),
  user: z.strictObject({ teamId: z.string(), id: z.string(), name: z.string() }),
  endsAt: z.number(),
});

/** Long enough to sign in first. */
const lastsMs = 15 * 60_000;

/**
 * A code that proves control of a Slack account: only that user is shown it. The destination's
 * signing secret signs it, because anyone who has that secret can also sign requests as any user of
 * Slack. The prefix keeps the two kinds of signature apart: Slack's begin with `v0:`.
 */
export function createLinkCode(secret: string, code: LinkCode, now: Date): string {
  const claims = JSON.stringify({ ...code, endsAt: now.getTime() + lastsMs });
  const text = Buffer.from(claims).toString('base64url');
  return `${text}.${sign(secret, text).toString('base64url')}`;
}

/** The destination named by a code, which may be forged. */
export function destinationOfCode(code: string): string | null {
  return readClaims(code)?.destinationId ?? null;
}

/** The content of a genuine code; null for any other, and after it has expired. */
export function readLinkCode(secret: string, code: string, now: Date): LinkCode | null {
  const [text = '', signature = ''] = code.split('.');
  const sent = Buffer.from(signature, 'base64url');
  const expected = sign(secret, text);
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null;
  const claims = readClaims(code);
  if (claims === null || claims.endsAt < now.getTime()) return null;
  return { destinationId: claims.destinationId, user: claims.user };
}

const sign = (secret: string, text: string): Buffer =>
  createHmac('sha256', secret).update(`assay-link:${text}`).digest();

function readClaims(code: string): z.infer<typeof Claims> | null {
  try {
    const text = Buffer.from(code.split('.')[0] ?? '', 'base64url').toString('utf8');
    return Claims.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
