import type { BetterAuthOptions } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { schema } from '../../db';
import { type Ctx, newId } from '../platform';

/**
 * The options that every use of better-auth shares: the same tables, cookies and secret, so that a
 * session counts everywhere, however it began.
 */
export function authOptions(ctx: Ctx, secret: string) {
  return {
    appName: 'Assay',
    baseURL: ctx.env.webUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [ctx.env.webUrl],
    database: drizzleAdapter(ctx.db, {
      provider: 'pg',
      schema: {
        user: schema.users,
        session: schema.authSessions,
        account: schema.authAccounts,
        verification: schema.authVerifications,
        twoFactor: schema.authTwoFactors,
        passkey: schema.authPasskeys,
      },
    }),
    user: {
      additionalFields: { operator: { type: 'boolean', input: false, defaultValue: false } },
    },
    session: {
      expiresIn: 60 * 60 * 24 * 14,
      updateAge: 60 * 60 * 24,
      cookieCache: { enabled: false },
      // A new passkey needs the password, however old the session is.
      freshAge: 0,
    },
    // Its own limit uses the network address from a header, or, without one, a single bucket that a
    // stranger can fill for everyone.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'assay',
      useSecureCookies: ctx.env.webUrl.startsWith('https://'),
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
      ipAddress: { disableIpTracking: true },
      database: {
        generateId: ({ model }: { readonly model: string }) =>
          newId(model.slice(0, 3), ctx.clock.now()),
      },
    },
    telemetry: { enabled: false },
    // Its own log lines contain session tokens if a query failed (S-101).
    logger: {
      level: 'error',
      log: (_level, message) => ctx.log.warn({ from: 'better-auth' }, message.slice(0, 200)),
    },
  } satisfies BetterAuthOptions;
}

/** The cookies of a response, and nothing else of it. */
export function cookiesOf(response: Response): Headers {
  const headers = new Headers();
  for (const cookie of response.headers.getSetCookie()) headers.append('set-cookie', cookie);
  return headers;
}
