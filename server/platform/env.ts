import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { readSessionConfig } from './config-file';
import { createOutboundAllow, type OutboundAllow } from './outbound-file';
import { readOutboundAllow } from './outbound-policy';
import { createOwnServices, type OwnServices } from './own-services';
import { readTrustedProxies, type TrustedProxies } from './peer';
import { readSingleSignOn, type SingleSignOnEnv } from './sso-env';
import { type QualityVerifierEnv, readQualityVerifier } from './quality-verifier-env';

const Port = z.coerce.number().int().min(1).max(65_535);

function asOutboundAllow(text: string, ctx: z.RefinementCtx<string>): ReadonlySet<string> {
  try {
    return readOutboundAllow(text);
  } catch (error) {
    ctx.addIssue({
      code: 'custom',
      message: `${error instanceof Error ? error.message : 'not valid'}; it must be a list of host:port`,
    });
    return z.NEVER;
  }
}

function asTrustedProxies(text: string, ctx: z.RefinementCtx<string>): TrustedProxies {
  try {
    return readTrustedProxies(text);
  } catch (error) {
    ctx.addIssue({
      code: 'custom',
      message: `${error instanceof Error ? error.message : 'not valid'}; it must be a list such as 10.0.0.0/8`,
    });
    return z.NEVER;
  }
}

/** Other tools use the providers' variables too: an empty one counts as unset. */
const filled = (text: string | undefined): string | undefined =>
  text?.trim() === '' ? undefined : text?.trim();
const ApiKey = z
  .string()
  .optional()
  .transform(filled)
  .refine(
    (key) => key === undefined || /^[\x21-\x7e]{1,500}$/.test(key),
    'must have 1 to 500 printable characters without spaces',
  );
const BaseUrl = z
  .string()
  .optional()
  .transform(filled)
  .refine(
    (url) => url === undefined || /^https?:\/\/[^?#\s]+$/.test(url),
    'must be a URL that begins with https:// or http://',
  );

const Variables = z.object({
  DATABASE_URL: z.string().min(1).optional(),
  ASSAY_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  ASSAY_WEB_PORT: Port.default(3000),
  ASSAY_EDGE_PORT: Port.default(4318),
  ASSAY_HOST: z.string().min(1).default('127.0.0.1'),
  ASSAY_WEB_URL: z.url().optional(),
  ASSAY_EDGE_URL: z.url().optional(),
  ASSAY_COMMAND: z.string().min(1).default('./assay'),
  ASSAY_AI_INTEGRITY: z.string().default('on'),
  ASSAY_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info'),
  ASSAY_LEASE_MS: z.coerce.number().int().min(500).default(30_000),
  ASSAY_TRACE_IDLE_MS: z.coerce.number().int().min(0).max(3_600_000).default(5_000),
  ASSAY_QUERY_TIMEOUT_MS: z.coerce.number().int().min(100).default(10_000),
  ASSAY_REQUEST_BUDGET_MS: z.coerce.number().int().min(50).max(600_000).default(1_000),
  ASSAY_KEY_REQUESTS_PER_SECOND: z.coerce.number().int().min(1).max(1_000_000).optional(),
  ASSAY_DB_POOL: z.coerce.number().int().min(2).max(200).default(10),
  ASSAY_SMTP_URL: z
    .string()
    .optional()
    .transform(filled)
    .refine(
      (url) => url === undefined || /^smtps?:\/\/[^\s/]+/.test(url),
      'must be an address such as smtps://user:password@host:465',
    ),
  ASSAY_MAIL_FROM: z
    .string()
    .optional()
    .transform(filled)
    .refine(
      (from) =>
        from === undefined ||
        /^(?:[^<>"\r\n]{1,100} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from),
      'must be an address such as Assay <assay@example.org>',
    ),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be an address such as redis://host:6379' })
    .optional(),
  ASSAY_JUDGES_AT_ONCE: z.coerce.number().int().min(1).max(1_000).default(32),
  ASSAY_BOXES_AT_ONCE: z.coerce.number().int().min(1).max(1_000).optional(),
  ASSAY_BOX_LAUNCHER_FD: z.coerce.number().int().min(3).max(1_000).optional(),
  ASSAY_BOX_CGROUP: z
    .string()
    .startsWith('/', 'must be the absolute path of a cgroup folder')
    .optional(),
  ASSAY_FUNCTION_PACKAGES: z
    .string()
    .startsWith('/', 'must be the absolute path of a folder with node_modules or python')
    .optional(),
  ASSAY_OUTBOUND_ALLOW: z.string().default('').transform(asOutboundAllow),
  ASSAY_TRUSTED_PROXIES: z.string().default('').transform(asTrustedProxies),
  ASSAY_SECRET_PREVIOUS: z.string().min(32, 'must have at least 32 characters').optional(),
  ASSAY_OPERATOR_TOKEN: z
    .string()
    .optional()
    .transform(filled)
    .refine(
      (token) => token === undefined || /^[\x21-\x7e]{16,200}$/.test(token),
      'must have 16 to 200 characters without spaces',
    ),
  OPENAI_API_KEY: ApiKey,
  OPENAI_BASE_URL: BaseUrl,
  ANTHROPIC_API_KEY: ApiKey,
  ANTHROPIC_BASE_URL: BaseUrl,
  GOOGLE_API_KEY: ApiKey,
  GOOGLE_BASE_URL: BaseUrl,
  AWS_ENDPOINT_URL_S3: BaseUrl,
  ASSAY_DATA_DIR: z.string().optional().transform(filled),
  ASSAY_CONFIG: z.string().optional().transform(filled),
  ASSAY_REPLICA: z
    .string()
    .optional()
    .transform(filled)
    .refine(
      (name) => name === undefined || /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name),
      'must have at most 100 letters, digits, ".", "_" and "-"',
    ),
  ASSAY_GATEWAY_HONOUR_SECONDS: z.coerce.number().int().min(60).max(31_536_000).default(86_400),
});

/** The operator's own provider of a kind, the default of every project. */
export interface DefaultProvider {
  readonly kind: 'openai' | 'anthropic' | 'google';
  readonly apiKey: string;
  /** Null means the kind's default address. */
  readonly baseUrl: string | null;
}

function readProviders(v: z.infer<typeof Variables>): readonly DefaultProvider[] {
  const one = (
    kind: DefaultProvider['kind'],
    apiKey?: string,
    baseUrl?: string,
  ): readonly DefaultProvider[] =>
    apiKey === undefined ? [] : [{ kind, apiKey, baseUrl: baseUrl ?? null }];
  return [
    ...one('openai', v.OPENAI_API_KEY, v.OPENAI_BASE_URL),
    ...one('anthropic', v.ANTHROPIC_API_KEY, v.ANTHROPIC_BASE_URL),
    ...one('google', v.GOOGLE_API_KEY, v.GOOGLE_BASE_URL),
  ];
}

/** The operator's mail server and sender address. */
interface MailEnv {
  readonly smtpUrl: string;
  readonly from: string;
}

/** @throws Error if one is set without the other */
function readMail(smtpUrl: string | undefined, from: string | undefined): MailEnv | null {
  if (smtpUrl === undefined && from === undefined) return null;
  if (smtpUrl === undefined) throw new Error('ASSAY_SMTP_URL is required with ASSAY_MAIL_FROM');
  if (from === undefined) throw new Error('ASSAY_MAIL_FROM is required with ASSAY_SMTP_URL');
  return { smtpUrl, from };
}

/** The configuration of the process; nothing else reads the environment. */
export interface Env {
  readonly databaseUrl: string;
  readonly secret: string | null;
  readonly webPort: number;
  readonly edgePort: number;
  readonly host: string;
  readonly webUrl: string;
  readonly edgeUrl: string;
  /** How an operator calls the command line in the folder of the installation. */
  readonly command: string;
  /** The kill switch (INT-11): `off` is a pass-through. */
  readonly integritySwitch: 'on' | 'off';
  readonly logLevel: string;
  readonly leaseMs: number;
  /**
   * Idle time after which a trace without a root span, or one that receives more spans later, is
   * assembled.
   */
  readonly traceIdleMs: number;
  readonly queryTimeoutMs: number;
  readonly poolSize: number;
  /** Processor time of one request, or of one subject in a worker, milliseconds (R-104). */
  readonly requestBudgetMs: number;
  /** Requests that one API key may send to one process; null means no limit. */
  readonly keyRequestsPerSecond: number | null;
  /** Null if this instance sends no mail. */
  readonly mail: MailEnv | null;
  /** The Redis that stores the jobs of the slow lane; null if the database stores them. */
  readonly redisUrl: string | null;
  /** Subjects of one worker that may wait for models at the same time. */
  readonly judgesAtOnce: number;
  /** Concurrent sandboxes for proof gates in one worker; null means as many as fit. */
  readonly boxesAtOnce: number | null;
  /**
   * File descriptor of the connection to the sandbox launcher that the supervisor started as root;
   * null if none.
   */
  readonly boxLauncherFd: number | null;
  /** Folder of memory cgroups that the operator delegated to the worker; null to detect it. */
  readonly boxCgroup: string | null;
  /** Folder of packages that functions may import; null means those that proof gates see. */
  readonly functionPackages: string | null;
  /**
   * `host:port` of private addresses that may be called: listed by the operator, never by a tenant
   * (S-48).
   */
  readonly outboundAllow: OutboundAllow;
  /** Services that tenants must never reach, even if `outboundAllow` lists them. */
  readonly ownServices: OwnServices;
  /**
   * Proxies in front of the console whose `X-Forwarded-For` names the source of a sign-in; empty:
   * the socket address is used.
   */
  readonly trustedProxies: TrustedProxies;
  /** The previous ASSAY_SECRET; secrets sealed under either one can be opened (S-99). */
  readonly secretPrevious: string | null;
  /** The token for `/metrics`; null if it is not served. */
  readonly operatorToken: string | null;
  /** Null if people sign in with passwords only. */
  readonly singleSignOn: SingleSignOnEnv | null;
  readonly defaultProviders: readonly DefaultProvider[];
  /** The folder for the gateway's snapshot and counters; null if they are not stored. */
  readonly dataDir: string | null;
  /**
   * Identifies this process among those that serve the gateway: stable across restarts, and unique.
   */
  readonly replica: string;
  /**
   * How long the gateway continues with its cached keys and routes while PostgreSQL is unavailable.
   */
  readonly gatewayHonourMs: number;
  /**
   * Default targets of the routes `openai` and `anthropic`, if no provider overrides them; null
   * means the vendor.
   */
  readonly upstreams: { readonly openai: string | null; readonly anthropic: string | null };
  /**
   * Object storage for backups; null means Amazon's. Credentials and region are read by its
   * library.
   */
  readonly s3Endpoint: string | null;
  readonly qualityVerifier: QualityVerifierEnv;
}

/** off, false, 0 and no, in any case, switch off; anything else is on (INT-11). */
function readSwitch(value: string): 'on' | 'off' {
  return ['off', 'false', '0', 'no'].includes(value.trim().toLowerCase()) ? 'off' : 'on';
}

/** The raw environment, for processes that add to it. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/**
 * The environment, validated.
 * @throws Error naming the variable and the problem
 */
export function readEnv(
  variables: Readonly<Record<string, string | undefined>> = environment,
): Env {
  const parsed = Variables.safeParse(variables);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`${issue?.path.join('.') ?? 'environment'}: ${issue?.message ?? 'not valid'}`);
  }
  const v = parsed.data;
  const dataDir =
    v.ASSAY_DATA_DIR === undefined ? null : resolve(/* turbopackIgnore: true */ v.ASSAY_DATA_DIR);
  if (v.DATABASE_URL === undefined)
    throw new Error('DATABASE_URL is required: set it, or start everything with npm start');
  return {
    databaseUrl: v.DATABASE_URL,
    secret: v.ASSAY_SECRET ?? null,
    webPort: v.ASSAY_WEB_PORT,
    edgePort: v.ASSAY_EDGE_PORT,
    host: v.ASSAY_HOST,
    webUrl: (v.ASSAY_WEB_URL ?? `http://localhost:${v.ASSAY_WEB_PORT}`).replace(/\/$/, ''),
    edgeUrl: (v.ASSAY_EDGE_URL ?? `http://localhost:${v.ASSAY_EDGE_PORT}`).replace(/\/$/, ''),
    command: v.ASSAY_COMMAND,
    integritySwitch: readSwitch(v.ASSAY_AI_INTEGRITY),
    logLevel: v.ASSAY_LOG_LEVEL,
    leaseMs: v.ASSAY_LEASE_MS,
    traceIdleMs: v.ASSAY_TRACE_IDLE_MS,
    queryTimeoutMs: v.ASSAY_QUERY_TIMEOUT_MS,
    poolSize: v.ASSAY_DB_POOL,
    requestBudgetMs: v.ASSAY_REQUEST_BUDGET_MS,
    keyRequestsPerSecond: v.ASSAY_KEY_REQUESTS_PER_SECOND ?? null,
    mail: readMail(v.ASSAY_SMTP_URL, v.ASSAY_MAIL_FROM),
    redisUrl: v.REDIS_URL ?? null,
    judgesAtOnce: v.ASSAY_JUDGES_AT_ONCE,
    boxesAtOnce: v.ASSAY_BOXES_AT_ONCE ?? null,
    boxLauncherFd: v.ASSAY_BOX_LAUNCHER_FD ?? null,
    boxCgroup: v.ASSAY_BOX_CGROUP ?? null,
    functionPackages: v.ASSAY_FUNCTION_PACKAGES ?? null,
    outboundAllow: createOutboundAllow(v.ASSAY_OUTBOUND_ALLOW, dataDir),
    ownServices: createOwnServices(
      [v.ASSAY_WEB_PORT, v.ASSAY_EDGE_PORT],
      [v.DATABASE_URL, v.REDIS_URL ?? null, v.ASSAY_WEB_URL ?? null, v.ASSAY_EDGE_URL ?? null],
    ),
    trustedProxies: v.ASSAY_TRUSTED_PROXIES,
    secretPrevious: v.ASSAY_SECRET_PREVIOUS ?? null,
    operatorToken: v.ASSAY_OPERATOR_TOKEN ?? null,
    singleSignOn: readSingleSignOn(variables),
    defaultProviders: readProviders(v),
    dataDir,
    replica:
      v.ASSAY_REPLICA ??
      `${hostname()
        .replaceAll(/[^A-Za-z0-9._-]/g, '-')
        .slice(0, 90)}-${v.ASSAY_EDGE_PORT}`,
    gatewayHonourMs: v.ASSAY_GATEWAY_HONOUR_SECONDS * 1000,
    s3Endpoint: v.AWS_ENDPOINT_URL_S3 ?? null,
    upstreams: { openai: v.OPENAI_BASE_URL ?? null, anthropic: v.ANTHROPIC_BASE_URL ?? null },
    qualityVerifier: readQualityVerifier(
      variables,
      v.ASSAY_CONFIG === undefined ? null : readSessionConfig(v.ASSAY_CONFIG),
    ),
  };
}
