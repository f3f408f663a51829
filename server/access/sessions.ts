import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { schema } from '../../db';
import { type Ctx, newId } from '../platform';

export interface SignedIn {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly operator: boolean;
}

export interface Sessions {
  /** better-auth's own handler for the three routes that the console uses; every other of its routes is 404. */
  handle(request: Request): Promise<Response>;
  /** Who the request's cookie belongs to, or null. */
  find(headers: Headers): Promise<SignedIn | null>;
}

const routes = new Set(['POST /api/auth/sign-in/email', 'POST /api/auth/sign-out', 'GET /api/auth/get-session']);

/** Sign-in by e-mail and password. Accounts come only from one-time links: better-auth's own sign-up is off. */
export function createSessions(ctx: Ctx, secret: string): Sessions {
  const auth = betterAuth({
    appName: 'Assay',
    baseURL: ctx.env.webUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [ctx.env.webUrl],
    database: drizzleAdapter(ctx.db, {
      provider: 'pg',
      schema: {
        user: schema.users, session: schema.authSessions, account: schema.authAccounts, verification: schema.authVerifications,
      },
    }),
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 200 },
    user: { additionalFields: { operator: { type: 'boolean', input: false, defaultValue: false } } },
    session: { expiresIn: 60 * 60 * 24 * 14, updateAge: 60 * 60 * 24, cookieCache: { enabled: false } },
    rateLimit: { enabled: true, window: 60, max: 200, customRules: { '/sign-in/email': { window: 60, max: 20 } } },
    advanced: {
      cookiePrefix: 'assay',
      useSecureCookies: ctx.env.webUrl.startsWith('https://'),
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
      // Addresses in forwarded headers are anybody's word: limits go by account path, not by them.
      ipAddress: { ipAddressHeaders: ['x-assay-peer'] },
      database: { generateId: ({ model }) => newId(model.slice(0, 3), ctx.clock.now()) },
    },
    telemetry: { enabled: false },
    logger: { level: 'error' },
  });

  return {
    async handle(request) {
      const { pathname } = new URL(request.url);
      if (!routes.has(`${request.method} ${pathname}`)) {
        return Response.json({ code: 'NOT_FOUND', message: 'no such route' }, { status: 404 });
      }
      return auth.handler(request);
    },
    async find(headers) {
      const found = await auth.api.getSession({ headers });
      if (found === null) return null;
      const { user } = found;
      return { id: user.id, name: user.name, email: user.email, operator: user.operator === true };
    },
  };
}
