import { type Ctx, rateLimited, sha256 } from '../platform';

/**
 * Limits of sign-in attempts in one window of 15 minutes (S-11, S-121). All unknown devices
 * together have ten attempts per account; each known device has ten separate attempts, which no one
 * else can exhaust. A network source has forty failed attempts across all accounts.
 */
const accountAttemptsMax = 10;
const deviceAttemptsMax = 10;
const sourceAttemptsMax = 40;
const windowMinutes = 15;

export interface SignInAttempt {
  /** Null if no address is known yet; only the source counts. */
  readonly email: string | null;
  /** An IPv4 address or an IPv6 prefix of 64 bits; null if unknown. */
  readonly source: string | null;
  /** A device that has signed in to this account before. */
  readonly deviceId: string | null;
}

/** The limits that an attempt counts against, in the order in which they are checked. */
function limitsOf({
  email,
  source,
  deviceId,
}: SignInAttempt): { readonly of: string; readonly max: number; readonly scopeText: string }[] {
  const account = email?.trim().toLowerCase() ?? null;
  if (deviceId !== null)
    return [
      {
        of: `device ${account} ${deviceId}`,
        max: deviceAttemptsMax,
        scopeText: 'from this device',
      },
    ];
  return [
    ...(source === null
      ? []
      : [
          {
            of: `source ${source}`,
            max: sourceAttemptsMax,
            scopeText: 'from this network address',
          },
        ]),
    ...(account === null
      ? []
      : [
          {
            of: `sign-in ${account}`,
            max: accountAttemptsMax,
            scopeText: 'for this e-mail address',
          },
        ]),
  ];
}

/**
 * Counts an attempt before the password is checked, so that concurrent attempts cannot exceed the
 * limit, and refuses it if a window is full, even with the right password. Attempts for addresses
 * without an account count in the same way, so the response does not reveal whether an account
 * exists. Attempts of a blocked source count against no account.
 * @throws AssayError rate_limited
 */
export async function countSignInAttempt(
  ctx: Pick<Ctx, 'sql'>,
  attempt: SignInAttempt,
): Promise<void> {
  await ctx.sql`
    delete from sign_in_tries where email_hash in (
      select email_hash from sign_in_tries where ends_at <= now() limit 100 for update skip locked)`;
  for (const { of, max, scopeText } of limitsOf(attempt)) {
    const [row] = await ctx.sql<{ tries: number; wait_s: number }[]>`
      insert into sign_in_tries as t (email_hash, tries, ends_at)
      values (${sha256(of)}, 1, now() + ${windowMinutes} * interval '1 minute')
      on conflict (email_hash) do update set
        tries = case when t.ends_at <= now() then 1 else least(t.tries + 1, 1000000) end,
        ends_at = case when t.ends_at <= now() then excluded.ends_at else t.ends_at end
      returning tries, ceil(extract(epoch from ends_at - now()))::int as wait_s`;
    if (row !== undefined && row.tries > max) {
      throw rateLimited(
        `too many attempts ${scopeText}; try again in ${Math.ceil(row.wait_s / 60)} min`,
        Math.max(1, row.wait_s),
      );
    }
  }
}

/**
 * Call it after a correct password: the window of the account or the device restarts. For a source,
 * only this attempt is uncounted, so that attackers cannot clear their failed attempts by signing
 * in to their own account.
 */
export async function clearSignInAttempts(
  ctx: Pick<Ctx, 'sql'>,
  attempt: SignInAttempt,
): Promise<void> {
  for (const { of } of limitsOf(attempt)) {
    if (of.startsWith('source '))
      await ctx.sql`update sign_in_tries set tries = greatest(tries - 1, 0) where email_hash = ${sha256(of)}`;
    else await ctx.sql`delete from sign_in_tries where email_hash = ${sha256(of)}`;
  }
}
