import type { Fragment, ISql } from 'postgres';
import type { SubjectTarget } from '../domain';
import { type Ctx, refused } from '../platform';
import {
  type AnyKind,
  builtIn,
  builtInStoredKind,
  kinds,
  CustomDefinition,
  storedKinds,
} from '../verifiers';

/** A verifier of a project: one of the release, or one that the project defined. */
export interface Verifier {
  readonly slug: string;
  readonly kind: AnyKind;
  /** The targets that rules may send to it. */
  readonly targets: readonly SubjectTarget[];
  /** Null for a verifier of the release. */
  readonly custom: CustomVerifier | null;
}

/** The additional properties of a verifier that the project defined. */
export interface CustomVerifier {
  readonly version: number;
  /** As stored: to be parsed by the kind's schema. */
  readonly config: unknown;
  readonly definition: CustomDefinition;
  readonly archivedAt: Date | null;
  /** The author of the current version. */
  readonly by: string;
  readonly at: Date;
}

interface Row {
  slug: string;
  kind: string;
  archived_at: string | null;
  version: number;
  config: unknown;
  created_by: string;
  created_at: string;
}

const builtInVerifiers: ReadonlyMap<string, Verifier> = new Map(
  [...builtIn].map(([slug, kind]) => [slug, { slug, kind, targets: kind.targets, custom: null }]),
);

/** The verifiers of the release, which every project has. */
export const listBuiltInVerifiers = (): readonly Verifier[] => [...builtInVerifiers.values()];

/**
 * A verifier of the project, archived or not. Null for an unknown one, and for a definition that
 * this release cannot read. One of the release needs no query.
 */
export async function findVerifier(
  ctx: Pick<Ctx, 'sql'>,
  projectId: string,
  slug: string,
): Promise<Verifier | null> {
  const known = builtInVerifiers.get(slug);
  if (known !== undefined) return known;
  return (await readCustom(ctx, projectId, slug))[0] ?? null;
}

/**
 * Checks a verifier that a setting names.
 * @throws AssayError refused if the project has no such verifier
 */
export async function requireNamedVerifier(
  ctx: Pick<Ctx, 'sql'> & { readonly projectId: string },
  slug: string,
): Promise<void> {
  if ((await findVerifier(ctx, ctx.projectId, slug)) !== null) return;
  const message = `names no verifier of this project: "${slug}"`;
  throw refused(`verifier: ${message}`, [{ path: 'verifier', message }]);
}

/** The slugs of all verifiers of a project, in order, without archived ones. */
export async function listVerifierSlugs(
  ctx: Pick<Ctx, 'sql'>,
  projectId: string,
): Promise<readonly string[]> {
  const own = await listCustomVerifiers(ctx, projectId);
  return [
    ...builtIn.keys(),
    ...own.flatMap((each) => (each.custom?.archivedAt === null ? [each.slug] : [])),
  ].sort();
}

/** The verifiers that the project defined, by slug, including archived ones. */
export const listCustomVerifiers = (
  ctx: Pick<Ctx, 'sql'>,
  projectId: string,
): Promise<readonly Verifier[]> => readCustom(ctx, projectId, null);

async function readCustom(
  { sql }: Pick<Ctx, 'sql'>,
  projectId: string,
  slug: string | null,
): Promise<Verifier[]> {
  const rows = await sql<Row[]>`
    select v.slug, v.kind, v.archived_at, latest.* from verifiers v cross join lateral (
      select version, config, created_by, created_at from verifier_versions
      where project_id = v.project_id and slug = v.slug order by version desc limit 1
    ) as latest
    where v.project_id = ${projectId} ${slug === null ? sql`` : sql`and v.slug = ${slug}`}
    order by v.slug collate "C"`;
  return rows.flatMap((row) => asVerifier(row) ?? []);
}

function asVerifier(row: Row): Verifier | null {
  const kind = kinds.get(row.kind);
  const definition = CustomDefinition.safeParse(row.config);
  if (kind?.custom === undefined || !definition.success) return null;
  return {
    slug: row.slug,
    kind,
    targets: definition.data.targets,
    custom: {
      version: row.version,
      config: row.config,
      definition: definition.data,
      archivedAt: row.archived_at === null ? null : new Date(row.archived_at),
      by: row.created_by,
      at: new Date(row.created_at),
    },
  };
}

/** Whether rules may send it turns. */
export const takesTurns = ({ targets }: Pick<Verifier, 'targets'>): boolean =>
  targets.some((target) => target === 'turn');

/**
 * Whether a route of the gateway may name it: it reads turns, and is not one of the two kinds that
 * have their own settings on a route.
 */
export const servesRoutes = (verifier: Verifier): boolean =>
  verifier.custom?.archivedAt == null &&
  takesTurns(verifier) &&
  verifier.kind.fromTurn === undefined;

/**
 * The stored name of a verifier's subjects. Each verifier that a project defined has its own, since
 * each reads the same turn by its own mapping.
 */
export const storedKindOf = ({ slug, kind }: Pick<Verifier, 'slug' | 'kind'>): string =>
  kind.custom === undefined ? builtInStoredKind(kind) : slug;

/**
 * The stored names of all subjects of a project other than turns: an array for `= any (…)`.
 *
 * @param others further names, such as `trace`
 */
export const storedKindsOf = (
  sql: ISql,
  projectId: string,
  others: readonly string[] = [],
): Fragment => sql`
  array(
    select jsonb_array_elements_text(${JSON.stringify([...others, ...storedKinds])}::text::jsonb)
    union all select slug from verifiers where project_id = ${projectId}
  )`;
