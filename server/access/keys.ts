import { randomBytes, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type Ctx, type Database, forbidden, newSecret, notFound, sha256 } from '../platform';
import type { ProjectCtx } from './actor';
import { recordAudit } from './audit';
import type { CreateKey } from './input';
import { permissionsOf, KeyScope } from './roles';
import { requireServiceScopes } from './service-scopes';

/** A letter for each scope; `ingest` and `impersonate` begin with the same one. */
const letterOf: Record<KeyScope, string> = {
  ingest: 'i',
  verify: 'v',
  read: 'r',
  write: 'w',
  gateway: 'g',
  impersonate: 'm',
  promote: 'p',
  held_out: 'h',
};

/**
 * `asy_<a letter for each scope>_<id>_<secret><checksum>`: 20 characters of id, 27 of secret, 6 of
 * checksum.
 */
const shape = /^asy_([a-z]{1,8})_([0-9a-f]{20})_([A-Za-z0-9_-]{27})([0-9a-f]{6})$/;

export interface ParsedKey {
  readonly id: string;
  readonly secretHash: string;
}

function checksum(body: string): string {
  return sha256(body).slice(0, 6);
}

/** Null for anything that cannot be one of our keys; a mistyped one fails here, without a query. */
export function parseKey(text: string): ParsedKey | null {
  if (text.length > 120) return null;
  const match = shape.exec(text);
  if (match === null) return null;
  const [, , id, secret, sum] = match;
  if (id === undefined || secret === undefined || sum === undefined) return null;
  if (checksum(text.slice(0, -6)) !== sum) return null;
  return { id, secretHash: sha256(secret) };
}

/** Compares two hex digests in constant time. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The text of a new key, and the columns that are derived from it. */
export function newKeyText(scopes: readonly KeyScope[]): {
  readonly key: string;
  readonly id: string;
  readonly secretHash: string;
  readonly masked: string;
} {
  const id = randomBytes(10).toString('hex');
  const letters = KeyScope.options
    .filter((scope) => scopes.includes(scope))
    .map((scope) => letterOf[scope])
    .join('');
  const body = `asy_${letters}_${id}_${newSecret(20)}`;
  const key = body + checksum(body);
  const parsed = parseKey(key);
  if (parsed === null) throw new Error('a new key does not parse');
  const masked = `asy_${letters}_${id.slice(0, 6)}…${key.slice(-4)}`;
  return { key, id, secretHash: parsed.secretHash, masked };
}

/**
 * A new key: the text is returned once and stored nowhere.
 * @throws AssayError not_found (also the service account), forbidden (removed or demoted in the
 *   meantime), refused (a scope that the role of the service account does not allow)
 */
export async function createKey(
  ctx: ProjectCtx,
  input: CreateKey,
): Promise<{ id: string; key: string; expiresAt: Date | null }> {
  const scopes = [...new Set(input.scopes)];
  const { key, ...derived } = newKeyText(scopes);
  const createdAt = ctx.clock.now();
  const days = input.expiresInDays ?? null;
  const expiresAt = days === null ? null : new Date(createdAt.getTime() + days * 86_400_000);
  const serviceAccountId = input.serviceAccountId ?? null;
  await ctx.db.transaction(async (tx) => {
    await requireKeyMaker(ctx, tx, scopes);
    if (serviceAccountId !== null) await requireServiceScopes(ctx, tx, serviceAccountId, scopes);
    await tx.insert(schema.apiKeys).values({
      projectId: ctx.projectId,
      ...derived,
      name: input.name,
      scopes,
      createdBy: ctx.actor.label,
      holderId: ctx.actor.kind === 'user' && serviceAccountId === null ? ctx.actor.id : null,
      serviceAccountId,
      createdAt,
      expiresAt,
    });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'keys.create',
      target: derived.id,
      detail: { name: input.name, scopes, expiresAt, serviceAccountId },
    });
  });
  return { id: derived.id, key, expiresAt };
}

/**
 * Joins a row of `users` to the keys that it owns. Keys older than `holder_id` belong to the
 * account that created them.
 */
export const isKeyOwner = sql`(${schema.apiKeys.holderId} = ${schema.users.id}
  or (${schema.apiKeys.holderId} is null and ${schema.apiKeys.serviceAccountId} is null
    and ${schema.apiKeys.createdBy} = ${schema.users.email}))`;

/**
 * Checks the creator's membership under a lock that a removal of the member waits for, so that no
 * key is created after the removal (S-120).
 */
export async function requireKeyMaker(
  { projectId, actor }: ProjectCtx,
  tx: Database,
  scopes: readonly KeyScope[],
): Promise<void> {
  if (actor.kind !== 'user') return;
  const { members } = schema;
  const [member] = await tx
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.projectId, projectId), eq(members.userId, actor.id)))
    .for('share');
  if (member === undefined) throw notFound('project');
  if (!permissionsOf[member.role].includes('keys.write'))
    throw forbidden(`your role "${member.role}" does not allow this`);
  // A key must not read data that its creator may not read.
  if (scopes.includes('held_out') && !permissionsOf[member.role].includes('held_out.read'))
    throw forbidden(`your role "${member.role}" does not allow keys with the scope "held_out"`);
}

export async function listKeys(ctx: ProjectCtx): Promise<
  {
    id: string;
    name: string;
    scopes: string[];
    masked: string;
    createdAt: Date;
    lastUsedAt: Date | null;
    /** Null if the key does not expire. */
    expiresAt: Date | null;
    /** The id of the key that replaced this one; null if it was not rotated. */
    successorId: string | null;
    revokedAt: Date | null;
    state: 'active' | 'expired' | 'revoked';
    createdBy: string;
    /** The name of the service account that owns the key; null for other keys. */
    serviceAccount: string | null;
    /** E-mail address of the member responsible for the key; null for other keys. */
    owner: string | null;
  }[]
> {
  const { apiKeys, serviceAccounts, users } = schema;
  const now = ctx.clock.now();
  const rows = await ctx.db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      scopes: apiKeys.scopes,
      masked: apiKeys.masked,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      expiresAt: apiKeys.expiresAt,
      successorId: apiKeys.successorId,
      revokedAt: apiKeys.revokedAt,
      createdBy: apiKeys.createdBy,
      serviceAccount: serviceAccounts.name,
      owner: users.email,
    })
    .from(apiKeys)
    .leftJoin(
      serviceAccounts,
      and(
        eq(serviceAccounts.projectId, apiKeys.projectId),
        eq(serviceAccounts.id, apiKeys.serviceAccountId),
      ),
    )
    .leftJoin(users, isKeyOwner)
    .where(eq(apiKeys.projectId, ctx.projectId))
    .orderBy(desc(apiKeys.createdAt));
  return rows.map((row) => ({ ...row, state: stateOf(row, now) }));
}

function stateOf(
  key: { readonly expiresAt: Date | null; readonly revokedAt: Date | null },
  now: Date,
): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

/** Every process refuses the key within a second (S-12), since key caches expire sooner. */
export async function revokeKey(ctx: ProjectCtx, id: string): Promise<void> {
  const { apiKeys } = schema;
  await ctx.db.transaction(async (tx) => {
    const revoked = await tx
      .update(apiKeys)
      .set({ revokedAt: ctx.clock.now() })
      .where(
        and(eq(apiKeys.projectId, ctx.projectId), eq(apiKeys.id, id), isNull(apiKeys.revokedAt)),
      )
      .returning({ name: apiKeys.name });
    const [key] = revoked;
    if (key === undefined) throw notFound('key');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'keys.revoke',
      target: id,
      detail: { name: key.name },
    });
  });
}

export interface StoredKey {
  readonly id: string;
  readonly projectId: string;
  readonly projectSlug: string;
  readonly simulated: boolean;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly secretHash: string;
  readonly expiresAt: Date | null;
  /** Its use was not recorded for a minute; cleared by `recordKeyUse`. */
  useUnrecorded: boolean;
}

/** One prepared query by id; the secret itself never reaches SQL (S-12). */
export async function findKey(ctx: Pick<Ctx, 'sql'>, id: string): Promise<StoredKey | null> {
  const [row] = await ctx.sql<
    {
      id: string;
      project_id: string;
      slug: string;
      simulated: boolean;
      name: string;
      scopes: KeyScope[];
      secret_hash: string;
      expires_ms: number | null;
      unused: boolean;
    }[]
  >`
    select k.id, k.project_id, p.slug, p.simulated, k.name, to_jsonb(k.scopes) as scopes, k.secret_hash,
      (extract(epoch from k.expires_at) * 1000)::float8 as expires_ms,
      coalesce(k.last_used_at < now() - interval '1 minute', true) as unused
    from api_keys k join projects p on p.id = k.project_id where k.id = ${id} and k.revoked_at is null`;
  if (row === undefined) return null;
  return {
    id: row.id,
    projectId: row.project_id,
    projectSlug: row.slug,
    simulated: row.simulated,
    name: row.name,
    scopes: row.scopes,
    secretHash: row.secret_hash,
    expiresAt: row.expires_ms === null ? null : new Date(row.expires_ms),
    useUnrecorded: row.unused,
  };
}

/**
 * Why a key with the right secret is refused now; null if it is not expired. A caller without the
 * secret must never get this text (S-12).
 */
export function expiryFault(expiresAt: Date | null, now: Date): string | null {
  if (expiresAt === null || now < expiresAt) return null;
  const at = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `the API key expired at ${at}; use its successor, or create a key in the project settings`;
}

/** Only informative: it must neither delay nor fail the request. */
export function recordKeyUse(ctx: Pick<Ctx, 'sql' | 'log'>, key: StoredKey): void {
  if (!key.useUnrecorded) return;
  key.useUnrecorded = false;
  ctx.sql`update api_keys set last_used_at = now() where project_id = ${key.projectId} and id = ${key.id}`.catch(
    (error: unknown) => ctx.log.warn({ err: error }, 'last use of a key not noted'),
  );
}
