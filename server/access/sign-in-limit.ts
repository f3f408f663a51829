import { type Ctx, rateLimited, sha256 } from '../platform';

/** Passwords that may be tried for one e-mail address in one window (S-11). */
const triesMax = 10;
const windowMinutes = 15;

/**
 * Counts a try before the password is looked at, so that a thousand tries at once are no more than one after the other, and
 * refuses it when the window is full, a right password too. Addresses without an account count alike: the answer tells nothing.
 * By address of e-mail and not of network: a forwarded header is anybody's word.
 * @throws AssayError rate_limited
 */
export async function countSignInTry(ctx: Pick<Ctx, 'sql'>, email: string): Promise<void> {
  await ctx.sql`
    delete from sign_in_tries where email_hash in (
      select email_hash from sign_in_tries where ends_at <= now() limit 100 for update skip locked)`;
  const [row] = await ctx.sql<{ tries: number; wait_s: number }[]>`
    insert into sign_in_tries as t (email_hash, tries, ends_at)
    values (${hashOf(email)}, 1, now() + ${windowMinutes} * interval '1 minute')
    on conflict (email_hash) do update set
      tries = case when t.ends_at <= now() then 1 else least(t.tries + 1, 1000000) end,
      ends_at = case when t.ends_at <= now() then excluded.ends_at else t.ends_at end
    returning tries, ceil(extract(epoch from ends_at - now()))::int as wait_s`;
  if (row !== undefined && row.tries > triesMax) {
    throw rateLimited(`too many tries for this e-mail address; try again in ${Math.ceil(row.wait_s / 60)} min`, Math.max(1, row.wait_s));
  }
}

/** The password was right: the window begins anew. */
export async function forgetSignInTries(ctx: Pick<Ctx, 'sql'>, email: string): Promise<void> {
  await ctx.sql`delete from sign_in_tries where email_hash = ${hashOf(email)}`;
}

function hashOf(email: string): string {
  return sha256(`sign-in ${email.trim().toLowerCase()}`);
}
