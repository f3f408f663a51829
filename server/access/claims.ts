import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db';
import {
  conflict,
  type Ctx,
  type Database,
  forbidden,
  invalid,
  newId,
  newSecret,
  notFound,
  sha256,
} from '../platform';
import type { Actor, ProjectCtx } from './actor';
import { recordAudit } from './audit';
import type { UseClaim, InviteMember } from './input';
import { lockMembers } from './members';
import { hashPassword, verifyPassword, withPasswordSlot } from './passwords';
import { insertProject } from './projects';
import type { Role } from './roles';
import { countSignInAttempt, clearSignInAttempts } from './sign-in-limit';

const ownerHours = 24;
const invitationDays = 7;

/**
 * One lock for every change of the set of owners: the first owner is claimed once, even in a race
 * (S-108).
 */
const ownerLock = sql`select pg_advisory_xact_lock(hashtextextended('assay owner', 0))`;

async function hasOperator(db: Database): Promise<boolean> {
  const found = await db
    .select({ id: schema.users.id })
    .from(schema.users)
    .where(eq(schema.users.operator, true))
    .limit(1);
  return found.length > 0;
}

/**
 * Issues a one-time link for the first owner; earlier ones stop working. Null once there is an
 * owner.
 */
export async function issueOwnerLink(ctx: Ctx): Promise<string | null> {
  const token = newSecret();
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    await tx.execute(ownerLock);
    if (await hasOperator(tx)) return null;
    await tx
      .update(schema.claims)
      .set({ revokedAt: now })
      .where(and(eq(schema.claims.kind, 'owner'), isNull(schema.claims.usedAt)));
    await tx.insert(schema.claims).values({
      id: newId('clm', now),
      kind: 'owner',
      tokenHash: sha256(token),
      expiresAt: new Date(now.getTime() + ownerHours * 3_600_000),
    });
    return `${ctx.env.webUrl}/claim?token=${token}`;
  });
}

/** A one-time link that makes its bearer a member. Only an owner invites owners. */
export async function inviteMember(ctx: ProjectCtx, input: InviteMember): Promise<{ url: string }> {
  const token = newSecret();
  const now = ctx.clock.now();
  const id = newId('clm', now);
  await ctx.db.transaction(async (tx) => {
    const { by } = await lockMembers(ctx, tx);
    if (input.role === 'owner' && by !== 'owner')
      throw forbidden('only an owner can invite owners');
    await tx.insert(schema.claims).values({
      id,
      kind: 'invitation',
      tokenHash: sha256(token),
      projectId: ctx.projectId,
      email: input.email,
      role: input.role,
      createdBy: ctx.actor.label,
      expiresAt: new Date(now.getTime() + invitationDays * 86_400_000),
    });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'members.invite',
      target: input.email,
      detail: { role: input.role },
    });
  });
  return { url: `${ctx.env.webUrl}/claim?token=${token}` };
}

export async function revokeInvitation(ctx: ProjectCtx, id: string): Promise<void> {
  const { claims } = schema;
  await ctx.db.transaction(async (tx) => {
    const revoked = await tx
      .update(claims)
      .set({ revokedAt: ctx.clock.now() })
      .where(
        and(
          eq(claims.projectId, ctx.projectId),
          eq(claims.id, id),
          isNull(claims.usedAt),
          isNull(claims.revokedAt),
        ),
      )
      .returning({ email: claims.email });
    const [claim] = revoked;
    if (claim === undefined) throw notFound('invitation');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'members.revokeInvitation',
      target: claim.email,
    });
  });
}

/** The purpose of a link; unknown, expired and revoked links are indistinguishable. */
export async function getClaimState(
  ctx: Ctx,
  token: string,
): Promise<{
  state: 'open' | 'used' | 'unknown';
  kind: 'owner' | 'invitation' | 'password';
  email: string | null;
  projectName: string | null;
  role: Role | null;
}> {
  const [row] = await ctx.db
    .select({ claim: schema.claims, projectName: schema.projects.name })
    .from(schema.claims)
    .leftJoin(schema.projects, eq(schema.projects.id, schema.claims.projectId))
    .where(eq(schema.claims.tokenHash, sha256(token)));
  if (row === undefined || row.claim.revokedAt !== null || row.claim.expiresAt <= ctx.clock.now()) {
    return { state: 'unknown', kind: 'owner', email: null, projectName: null, role: null };
  }
  const { claim } = row;
  return {
    state: claim.usedAt === null ? 'open' : 'used',
    kind: claim.kind,
    email: claim.email,
    projectName: row.projectName,
    role: claim.role,
  };
}

/**
 * Uses a one-time link: an owner link creates the first account and a project, an invitation an
 * account and a membership. An existing account joins with its password; attempts are counted as at
 * sign-in.
 * @throws AssayError not_found (link unknown, used, expired), conflict (e-mail or slug taken),
 * invalid, rate_limited
 */
export async function useClaim(ctx: Ctx, input: UseClaim): Promise<{ projectSlug: string }> {
  // Before any hashing, which is expensive: strangers with invented tokens must not keep this
  // process busy.
  const { state, kind } = await getClaimState(ctx, input.token);
  if (state !== 'open' || kind === 'password') throw noOpenLink();
  const existing = kind === 'invitation' ? await checkAccount(ctx, input) : null;
  const passwordHash =
    existing === null ? await withPasswordSlot('new', () => hashPassword(input.password)) : '';
  return ctx.db.transaction(async (tx) => {
    await tx.execute(ownerLock);
    const claim = await consumeClaim(ctx, tx, input.token);
    if (claim === null || claim.kind === 'password') throw noOpenLink();
    if (claim.kind === 'owner') return claimOwner(ctx, tx, { ...input, passwordHash });
    if (claim.email !== null && claim.email !== input.email)
      throw invalid('the invitation is for another e-mail address', [
        { path: 'email', message: `must be ${claim.email}` },
      ]);
    const actor =
      existing ?? (await insertUser(ctx, tx, { ...input, passwordHash, operator: false }));
    const [project] = await tx
      .select()
      .from(schema.projects)
      .where(eq(schema.projects.id, claim.projectId ?? ''));
    if (project === undefined || claim.role === null) throw notFound('project');
    const joined = await tx
      .insert(schema.members)
      .values({ projectId: project.id, userId: actor.id, role: claim.role })
      .onConflictDoNothing()
      .returning({ userId: schema.members.userId });
    if (joined.length === 0) throw conflict('this account is already a member of the project');
    await recordAudit(ctx, tx, actor, {
      projectId: project.id,
      action: 'members.join',
      target: input.email,
      detail: { role: claim.role },
    });
    return { projectSlug: project.slug };
  });
}

/**
 * Marks an open link as used; null if it is not open. Only one of two concurrent calls succeeds.
 */
export async function consumeClaim(
  ctx: Pick<Ctx, 'clock'>,
  tx: Database,
  token: string,
): Promise<typeof schema.claims.$inferSelect | null> {
  const { claims } = schema;
  const now = ctx.clock.now();
  const [claim] = await tx
    .update(claims)
    .set({ usedAt: now })
    .where(
      and(
        eq(claims.tokenHash, sha256(token)),
        isNull(claims.usedAt),
        isNull(claims.revokedAt),
        gt(claims.expiresAt, now),
      ),
    )
    .returning();
  return claim ?? null;
}

export const noOpenLink = () => notFound('open link: it was used, was revoked or has expired');

/**
 * The account of this e-mail address, if the password is correct; null if there is none.
 * @throws AssayError conflict, rate_limited
 */
async function checkAccount(ctx: Ctx, input: UseClaim): Promise<UserActor | null> {
  const { authAccounts, users } = schema;
  const [found] = await ctx.db
    .select({ id: users.id, operator: users.operator, hash: authAccounts.password })
    .from(users)
    .leftJoin(
      authAccounts,
      and(eq(authAccounts.userId, users.id), eq(authAccounts.providerId, 'credential')),
    )
    .where(eq(users.email, input.email));
  if (found === undefined) return null;
  const attempt = { email: input.email, source: null, deviceId: null };
  await countSignInAttempt(ctx, attempt);
  const { hash } = found;
  const isRight =
    hash !== null &&
    (await withPasswordSlot('new', () => verifyPassword({ hash, password: input.password })));
  if (!isRight) {
    throw conflict('an account with this e-mail address exists; join with its password');
  }
  await clearSignInAttempts(ctx, attempt);
  return { kind: 'user', id: found.id, label: input.email, role: null, operator: found.operator };
}

async function claimOwner(
  ctx: Ctx,
  tx: Database,
  input: UseClaim & { readonly passwordHash: string },
): Promise<{ projectSlug: string }> {
  if (await hasOperator(tx)) throw conflict('this installation already has an owner');
  if (input.projectSlug === undefined)
    throw invalid('projectSlug: is required', [
      { path: 'projectSlug', message: 'is required to create the first project' },
    ]);
  const actor = await insertUser(ctx, tx, { ...input, operator: true });
  const { slug } = await insertProject(ctx, tx, actor, {
    slug: input.projectSlug,
    name: input.projectName ?? input.projectSlug,
    ownerId: actor.id,
  });
  return { projectSlug: slug };
}

/**
 * Creates the first owner without a link, for the command line on the machine itself. @throws
 * AssayError conflict
 */
export async function createOwner(
  ctx: Ctx,
  input: { readonly email: string; readonly name: string; readonly password: string },
): Promise<{ userId: string }> {
  const passwordHash = await withPasswordSlot('new', () => hashPassword(input.password));
  return ctx.db.transaction(async (tx) => {
    await tx.execute(ownerLock);
    if (await hasOperator(tx)) throw conflict('this installation already has an owner');
    const actor = await insertUser(ctx, tx, { ...input, passwordHash, operator: true });
    await tx
      .update(schema.claims)
      .set({ revokedAt: ctx.clock.now() })
      .where(and(eq(schema.claims.kind, 'owner'), isNull(schema.claims.usedAt)));
    return { userId: actor.id };
  });
}

type UserActor = Extract<Actor, { kind: 'user' }>;

async function insertUser(
  ctx: Ctx,
  tx: Database,
  input: {
    readonly email: string;
    readonly name: string;
    readonly passwordHash: string;
    readonly operator: boolean;
  },
): Promise<UserActor> {
  const now = ctx.clock.now();
  const id = newId('usr', now);
  const insertedUsers = await tx
    .insert(schema.users)
    .values({
      id,
      name: input.name,
      email: input.email,
      emailVerified: true,
      operator: input.operator,
    })
    .onConflictDoNothing()
    .returning({ id: schema.users.id });
  if (insertedUsers.length === 0)
    throw conflict('an account with this e-mail address exists; sign in');
  await tx.insert(schema.authAccounts).values({
    id: newId('acc', now),
    userId: id,
    accountId: id,
    providerId: 'credential',
    password: input.passwordHash,
  });
  const actor: UserActor = {
    kind: 'user',
    id,
    label: input.email,
    role: null,
    operator: input.operator,
  };
  await recordAudit(ctx, tx, actor, {
    projectId: null,
    action: 'accounts.create',
    target: input.email,
    detail: { operator: input.operator },
  });
  if (input.operator) await adoptOrphanProjects(tx, id);
  return actor;
}

/**
 * Adds the owner to projects that the command line created earlier, such as the demo's: without a
 * member no one could open them in the console.
 */
async function adoptOrphanProjects(tx: Database, ownerId: string): Promise<void> {
  await tx.execute(sql`
    insert into members (project_id, user_id, role)
    select p.id, ${ownerId}, 'owner' from projects p where not exists (select 1 from members m where m.project_id = p.id)`);
}
