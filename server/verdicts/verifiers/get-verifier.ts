import type { ProjectCtx } from '../../access';
import { listProviderModels } from '../../llm';
import type { SubjectTarget } from '../../domain';
import { notFound } from '../../platform';
import type { SubjectDeps } from '../subjects/subject-deps';
import {
  type ConfigState,
  findVerifier,
  getConfig,
  listBuiltInVerifiers,
  listCustomVerifiers,
  servesRoutes,
  type Verifier,
} from '../../catalog';
import { type LengthEffect, measureLength } from './measure-length';
import { type PlanShape, planShapeOf } from './plan-shape';
import { type CostSum, sumCosts } from './sum-costs';

/** A verifier and its current version in the project. */
export interface VerifierState {
  readonly slug: string;
  readonly kind: string;
  /** For people: the label of a verifier of the release, or the name set by the project. */
  readonly name: string;
  /** For people: what it judges. */
  readonly description: string;
  readonly version: number;
  /** Whether the project defined it. */
  readonly isCustom: boolean;
  /** Rules no longer send to an archived verifier. */
  readonly archived: boolean;
  /** The targets that rules may send to it. */
  readonly targets: readonly SubjectTarget[];
  readonly readsTurns: boolean;
  /** Whether a route of the gateway may name it. */
  readonly servesRoutes: boolean;
  /** Whether it judges turns, or work submitted by callers. */
  readonly judges: 'turns' | 'subjects';
}

export interface VerifierPageData extends VerifierState {
  /** Null if it cannot be drawn. */
  readonly plan: PlanShape | null;
  /** Costs over 7 and 30 days; null for a verifier that calls no model. */
  readonly costs: readonly CostSum[] | null;
  /** Whether scores correlate with length; null if no judge scored a single output. */
  readonly length: LengthEffect | null;
  /**
   * Without fields for a verifier that the project defined: its definition is edited as a whole.
   */
  readonly config: ConfigState;
  /** Whether any model can be called. */
  readonly hasModels: boolean;
}

/** The verifiers of the release, then those that the project defined, archived ones included. */
export async function listVerifiers(ctx: ProjectCtx): Promise<VerifierState[]> {
  const custom = await listCustomVerifiers(ctx, ctx.projectId);
  const rows = await ctx.sql<{ slug: string; version: number }[]>`
    select slug, max(version)::int as version from verifier_versions where project_id = ${ctx.projectId} group by slug`;
  const versions = new Map(rows.map(({ slug, version }) => [slug, version]));
  return [...listBuiltInVerifiers(), ...custom].map((verifier) =>
    stateOf(verifier, versions.get(verifier.slug) ?? 1),
  );
}

function stateOf(verifier: Verifier, version: number): VerifierState {
  const { slug, kind, targets, custom } = verifier;
  return {
    slug,
    kind: kind.name,
    name: custom?.definition.name ?? kind.label,
    description: custom === null ? kind.judges : custom.definition.description,
    version: custom?.version ?? version,
    isCustom: custom !== null,
    archived: custom?.archivedAt != null,
    targets,
    readsTurns: kind.readsTurns,
    servesRoutes: servesRoutes(verifier),
    judges: kind.readsTurns ? 'turns' : 'subjects',
  };
}

/** @throws AssayError not_found (the project has no such verifier) */
export async function getVerifier(
  ctx: ProjectCtx,
  { kinds, prompts }: Pick<SubjectDeps, 'kinds' | 'prompts'>,
  slug: string,
): Promise<VerifierPageData> {
  const verifier = await findVerifier(ctx, ctx.projectId, slug);
  if (verifier === null) throw notFound('verifier');
  const { kind } = verifier;
  const hasModels = (await listProviderModels(ctx, ctx.projectId)).length > 0;
  const config =
    verifier.custom === null
      ? await getConfig(ctx, kinds, slug)
      : { slug, kind: kind.name, version: verifier.custom.version, fields: [], versions: [] };
  const found = stateOf(verifier, config.version);
  const plan = await planShapeOf(ctx, prompts, { slug, kind });
  if (kind.readsTurns) return { ...found, config, plan, costs: null, length: null, hasModels };
  return {
    ...found,
    config,
    plan,
    costs: await sumCosts(ctx, slug, [7, 30]),
    length: await measureLength(ctx, slug, 30),
    hasModels,
  };
}
