import { z } from 'zod';

const ssoRoles = ['owner', 'admin', 'reviewer', 'viewer'] as const;
type SsoRole = (typeof ssoRoles)[number];

/** The operator's OpenID Connect provider, through which people sign in. */
export interface SingleSignOnEnv {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** The provider's name, as the button of the sign-in page shows it. */
  readonly name: string;
  readonly groupsClaim: string;
  /** Roles by project slug, by group; the slug `*` means every project. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, SsoRole>>;
  /** E-mail domains that may sign in, in lower case; empty: all. */
  readonly emailDomains: readonly string[];
  /** `off`: only operators can sign in with a password. */
  readonly passwords: 'on' | 'off';
}

const Groups = z.record(
  z.string().min(1).max(500),
  z.record(z.string().regex(/^(?:\*|[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)$/), z.enum(ssoRoles)),
);
const groupsShape =
  'must be JSON that gives each group a role per project slug, or "*" for every project, such as {"staff":{"*":"viewer"}}; the roles are owner, admin, reviewer and viewer';

function readGroups(text: string): z.infer<typeof Groups> | null {
  try {
    return Groups.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const words = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

const Variables = z.object({
  ASSAY_SSO_ISSUER: z.url({
    protocol: /^https?$/,
    error: 'must be the URL of an issuer, such as https://id.example.org',
  }),
  ASSAY_SSO_CLIENT_ID: z.string({ error: 'is required with ASSAY_SSO_ISSUER' }).max(500),
  ASSAY_SSO_CLIENT_SECRET: z.string({ error: 'is required with ASSAY_SSO_ISSUER' }).max(2000),
  ASSAY_SSO_GROUPS: z
    .string({ error: 'is required with ASSAY_SSO_ISSUER' })
    .transform((text, ctx) => {
      const groups = readGroups(text);
      if (groups !== null && Object.keys(groups).length > 0) return groups;
      ctx.addIssue({ code: 'custom', message: groupsShape });
      return z.NEVER;
    }),
  ASSAY_SSO_GROUPS_CLAIM: z.string().max(200).default('groups'),
  ASSAY_SSO_SCOPES: z
    .string()
    .default('openid profile email')
    .transform(words)
    .refine(
      (scopes) => scopes.includes('openid') && scopes.includes('email'),
      'must include openid and email',
    ),
  ASSAY_SSO_NAME: z.string().max(60, 'must have at most 60 characters').default('single sign-on'),
  ASSAY_SSO_EMAIL_DOMAINS: z
    .string()
    .default('')
    .transform((text) => words(text.toLowerCase()))
    .refine(
      (domains) => domains.every((domain) => /^[a-z0-9.-]+\.[a-z0-9-]+$/.test(domain)),
      'must be a list of domains such as example.org,example.com',
    ),
  ASSAY_SSO_PASSWORDS: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
});

/**
 * The settings of single sign-on; null without `ASSAY_SSO_ISSUER`. An empty variable counts as
 * unset.
 * @throws Error naming the variable and the problem
 */
export function readSingleSignOn(
  variables: Readonly<Record<string, string | undefined>>,
): SingleSignOnEnv | null {
  const filled = Object.fromEntries(
    Object.keys(Variables.shape).flatMap((name) => {
      const text = variables[name]?.trim();
      return text === undefined || text === '' ? [] : [[name, text]];
    }),
  );
  if (filled.ASSAY_SSO_ISSUER === undefined) {
    const [stray] = Object.keys(filled);
    if (stray === undefined) return null;
    throw new Error(`ASSAY_SSO_ISSUER: is required with ${stray}`);
  }
  const parsed = Variables.safeParse(filled);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${String(issue?.path[0])}: ${issue?.message ?? 'not valid'}`);
  }
  const v = parsed.data;
  return {
    issuer: v.ASSAY_SSO_ISSUER.replace(/\/$/, ''),
    clientId: v.ASSAY_SSO_CLIENT_ID,
    clientSecret: v.ASSAY_SSO_CLIENT_SECRET,
    scopes: v.ASSAY_SSO_SCOPES,
    name: v.ASSAY_SSO_NAME,
    groupsClaim: v.ASSAY_SSO_GROUPS_CLAIM,
    groups: new Map(
      Object.entries(v.ASSAY_SSO_GROUPS).map(([group, roles]) => [
        group,
        new Map(Object.entries(roles)),
      ]),
    ),
    emailDomains: v.ASSAY_SSO_EMAIL_DOMAINS,
    passwords: v.ASSAY_SSO_PASSWORDS,
  };
}
