import { and, asc, eq } from 'drizzle-orm';
import { schema } from '../../db';
import { conflict, type Ctx, type Database, forbidden, newId, notFound } from '../platform';
import { type Actor, enterProject, type ProjectCtx } from './actor';
import { recordAudit } from './audit';
import type { CreateProject } from './input';
import { type Permission, permissionsOf, type Role } from './roles';

/**
 * Inserts a project with the rule that every project begins with: every turn to `integrity`. Its
 * creator becomes its owner.
 * @throws AssayError conflict if the slug is taken
 */
export async function insertProject(
  ctx: Pick<Ctx, 'clock'>,
  db: Database,
  actor: Actor,
  input: CreateProject & { readonly ownerId: string | null },
  simulated = false,
): Promise<{ id: string; slug: string }> {
  const id = newId('prj', ctx.clock.now());
  const insertedProjects = await db
    .insert(schema.projects)
    .values({ id, slug: input.slug, name: input.name, simulated })
    .onConflictDoNothing()
    .returning({ id: schema.projects.id });
  if (insertedProjects.length === 0)
    throw conflict(`a project "${input.slug}" already exists; choose another slug`);
  await db.insert(schema.rules).values({
    projectId: id,
    name: 'integrity',
    verifier: 'integrity',
    target: 'turn',
    filter: {},
    sampling: 1,
    enabled: true,
    createdBy: actor.label,
  });
  if (input.ownerId !== null)
    await db.insert(schema.members).values({ projectId: id, userId: input.ownerId, role: 'owner' });
  const detail = { name: input.name, ...(simulated && { simulated }) };
  await recordAudit(ctx, db, actor, {
    projectId: id,
    action: 'projects.create',
    target: input.slug,
    detail,
  });
  return { id, slug: input.slug };
}

/** @throws AssayError forbidden unless the actor is an operator; conflict if the slug is taken */
export async function createProject(
  ctx: Ctx,
  actor: Actor,
  input: CreateProject,
): Promise<{ id: string; slug: string }> {
  const ownerId = actor.kind === 'user' ? actor.id : null;
  if (actor.kind === 'user' && !actor.operator)
    throw forbidden('only an operator can create projects');
  if (actor.kind === 'key') throw forbidden('an API key cannot create projects');
  return ctx.db.transaction((tx) => insertProject(ctx, tx, actor, { ...input, ownerId }));
}

/**
 * Creates a demo's project, whose verdicts, labels and days have the times stated in its input
 * (`simulatedTime`). Only for local set-up: anyone who could create one over the API could date
 * verdicts at will.
 * @throws AssayError forbidden unless the actor is the system, conflict if the slug is taken
 */
export async function createSimulatedProject(
  ctx: Ctx,
  actor: Actor,
  input: CreateProject,
): Promise<{ id: string; slug: string }> {
  if (actor.kind !== 'system')
    throw forbidden('only the command line can create a simulated project');
  return ctx.db.transaction((tx) =>
    insertProject(ctx, tx, actor, { ...input, ownerId: null }, true),
  );
}

/**
 * Makes the installation's owner the owner of a project that the command line created: otherwise no
 * one could open it in the console.
 */
export async function assignToOperator(ctx: Ctx, projectId: string): Promise<void> {
  await ctx.sql`
    insert into members (project_id, user_id, role) select ${projectId}, id, 'owner' from users where operator on conflict do nothing`;
}

/** The projects that a person belongs to. */
export async function listProjects(
  ctx: Ctx,
  userId: string,
): Promise<{ id: string; slug: string; name: string; role: Role }[]> {
  const { members, projects } = schema;
  return ctx.db
    .select({ id: projects.id, slug: projects.slug, name: projects.name, role: members.role })
    .from(members)
    .innerJoin(projects, eq(projects.id, members.projectId))
    .where(eq(members.userId, userId))
    .orderBy(asc(projects.name));
}

export interface OpenedProject {
  readonly ctx: ProjectCtx;
  readonly project: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly simulated: boolean;
    readonly role: Role;
  };
}

/**
 * Opens a project for a person who needs `permission` in it.
 * @throws AssayError not_found both for an unknown project and for one that the person does not
 * belong to (S-2); forbidden
 */
export async function openProject(
  ctx: Ctx,
  user: {
    readonly id: string;
    readonly label: string;
    readonly operator: boolean;
    readonly via?: 'slack';
  },
  slug: string,
  permission: Permission,
): Promise<OpenedProject> {
  const { members, projects } = schema;
  const [project] = await ctx.db
    .select({
      id: projects.id,
      slug: projects.slug,
      name: projects.name,
      simulated: projects.simulated,
      role: members.role,
    })
    .from(members)
    .innerJoin(projects, eq(projects.id, members.projectId))
    .where(and(eq(projects.slug, slug), eq(members.userId, user.id)));
  if (project === undefined) throw notFound('project');
  if (!permissionsOf[project.role].includes(permission))
    throw forbidden(`your role "${project.role}" does not allow this`);
  const actor: Actor = {
    kind: 'user',
    id: user.id,
    label: user.label,
    role: project.role,
    operator: user.operator,
    ...(user.via !== undefined && { via: user.via }),
  };
  return { project, ctx: enterProject(ctx, project, actor) };
}

/**
 * The system's own context in a project, for workers and the command line. @throws AssayError
 * not_found
 */
export async function openProjectAsSystem(
  ctx: Ctx,
  slug: string,
  label: string,
): Promise<ProjectCtx> {
  const [project] = await ctx.db
    .select()
    .from(schema.projects)
    .where(eq(schema.projects.slug, slug));
  if (project === undefined) throw notFound('project');
  return enterProject(ctx, project, { kind: 'system', id: label, label });
}
