import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A person's claims of the ID token at the provider, without `sub`. */
export interface OidcPerson {
  readonly email: string;
  readonly email_verified: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** A certified OpenID Connect provider in the test's process, without pages. */
export interface OidcServer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** By `sub`; changes apply at the next sign-in. */
  readonly people: Map<string, OidcPerson>;
  /** The `sub` of the browser's user. */
  signedIn: string;
  /**
   * Follows the redirects of a browser in which `sub` is signed in at the provider.
   * @returns the address that the provider redirects back to
   */
  authorize(url: string, sub: string): Promise<string>;
  close(): Promise<void>;
}

const clientId = 'assay';
const clientSecret = 'oidc-client-secret-of-the-test';

/** @param redirectUri the callback's address */
export async function startOidc(redirectUri: string): Promise<OidcServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, OidcPerson>();
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['cookie-key-of-the-test'] },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ sub, ...people.get(sub), groups: [...(people.get(sub)?.groups ?? [])] }),
    }),
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const serve = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/'))
      void provider.interactionFinished(request, response, {
        login: { accountId: oidc.signedIn },
      });
    else void serve(request, response);
  });

  const oidc: OidcServer = {
    issuer,
    clientId,
    clientSecret,
    people,
    signedIn: '',
    async authorize(url, sub) {
      oidc.signedIn = sub;
      const cookies = new Map<string, string>();
      for (let next = url; ; ) {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null)
          throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
        next = new URL(location, next).href;
        if (!next.startsWith(issuer)) return next;
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return oidc;
}
