import { and, eq } from 'drizzle-orm';
import { schema } from '../../db';
import { asAssayError, type Ctx, type SingleSignOnEnv } from '../platform';
import type { ProjectCtx } from './actor';
import { recordAudit } from './audit';
import { changeRole, lockMembers, removeMember } from './members';
import { openProjectAsSystem } from './projects';
import { Role } from './roles';

/** The groups in a claim: a list of texts, or one text; anything else counts as no group. */
export function groupsIn(claim: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return list.filter((each) => typeof each === 'string');
}

/**
 * The role in each project, by slug or `*`: of several groups the strongest role counts. Empty if
 * no group is mapped.
 */
export function rolesOf(
  { groups }: Pick<SingleSignOnEnv, 'groups'>,
  of: readonly string[],
): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  for (const group of of)
    for (const [slug, role] of groups.get(group) ?? []) {
      const known = roles.get(slug);
      if (known === undefined || isStronger(role, known)) roles.set(slug, role);
    }
  return roles;
}

/** `Role` lists the strongest role first. */
const isStronger = (a: Role, b: Role): boolean => Role.options.indexOf(a) < Role.options.indexOf(b);

/**
 * Assigns an account the roles of its groups, in every project that the operator's mapping names:
 * joins, changes the role, or removes the membership with its keys. Other projects, and the last
 * owner of a project, keep their members. An operator's account is not changed.
 * @param ctx connections that see every project
 */
export async function applyGroups(
  ctx: Ctx,
  sso: Pick<SingleSignOnEnv, 'groups'>,
  user: { readonly id: string; readonly email: string; readonly operator: boolean },
  roles: ReadonlyMap<string, Role>,
): Promise<void> {
  if (user.operator) return;
  const { members, projects } = schema;
  const mapped = new Set([...sso.groups.values()].flatMap((bySlug) => [...bySlug.keys()]));
  const rows = await ctx.db
    .select({ slug: projects.slug, role: members.role })
    .from(projects)
    .leftJoin(members, and(eq(members.projectId, projects.id), eq(members.userId, user.id)));
  for (const { slug, role: current } of rows) {
    if (!mapped.has('*') && !mapped.has(slug)) continue;
    const mappedRoles = [roles.get(slug), roles.get('*')].filter((role) => role !== undefined);
    const [next = null] = mappedRoles.toSorted((a, b) => (isStronger(a, b) ? -1 : 1));
    if (next !== current) await setRole(ctx, slug, user, { current, next });
  }
}

async function setRole(
  ctx: Ctx,
  slug: string,
  user: { readonly id: string; readonly email: string },
  { current, next }: { readonly current: Role | null; readonly next: Role | null },
): Promise<void> {
  const project = await openProjectAsSystem(ctx, slug, 'single sign-on');
  try {
    if (next === null) await removeMember(project, user.id, { keys: 'revoke' }, ctx);
    else if (current === null) await join(project, user, next);
    else await changeRole(project, { userId: user.id, role: next });
  } catch (error) {
    // The last owner of a project stays its owner, regardless of the groups.
    if (asAssayError(error).code !== 'conflict') throw error;
    ctx.log.warn({ project: slug, userId: user.id }, 'single sign-on kept the last owner');
  }
}

async function join(
  ctx: ProjectCtx,
  user: { readonly id: string; readonly email: string },
  role: Role,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockMembers(ctx, tx);
    await tx
      .insert(schema.members)
      .values({ projectId: ctx.projectId, userId: user.id, role })
      .onConflictDoNothing();
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'members.join',
      target: user.email,
      detail: { role },
    });
  });
}
