import type { ProjectCtx } from '../../access';
import { listProviderModels } from '../../llm';
import { notFound } from '../../platform';
import type { Kinds } from '../../verifiers';
import type { SubjectDeps } from '../subjects/subject-deps';
import { type ConfigState, getConfig } from '../../catalog';
import { type LengthEffect, measureLength } from './measure-length';
import { type PlanShape, planShapeOf } from './plan-shape';
import { type CostSum, sumCosts } from './sum-costs';

/** A verifier and its current version in the project. */
export interface VerifierState {
  readonly slug: string;
  readonly version: number;
  /** What it judges: turns, or work submitted by callers. */
  readonly judges: 'turns' | 'subjects';
}

export interface VerifierPageData extends VerifierState {
  /** Null if it cannot be drawn. */
  readonly plan: PlanShape | null;
  /** Costs over 7 and 30 days; null for a verifier that calls no model. */
  readonly costs: readonly CostSum[] | null;
  /** Whether scores correlate with length; null if no judge scored a single output. */
  readonly length: LengthEffect | null;
  readonly config: ConfigState;
  /** Whether any model can be called. */
  readonly hasModels: boolean;
}

/** The verifiers of this release. */
export async function listVerifiers(
  ctx: ProjectCtx,
  { kinds }: { readonly kinds: Kinds },
): Promise<VerifierState[]> {
  const rows = await ctx.sql<{ slug: string; version: number }[]>`
    select slug, max(version)::int as version from verifier_versions where project_id = ${ctx.projectId} group by slug`;
  const versions = new Map(rows.map(({ slug, version }) => [slug, version]));
  return [...kinds.values()].map((kind) => ({
    slug: kind.name,
    judges: kind.readsTurns ? 'turns' : 'subjects',
    version: versions.get(kind.name) ?? 1,
  }));
}

/** @throws AssayError not_found (this release has no such verifier) */
export async function getVerifier(
  ctx: ProjectCtx,
  { kinds, prompts }: Pick<SubjectDeps, 'kinds' | 'prompts'>,
  slug: string,
): Promise<VerifierPageData> {
  const found = (await listVerifiers(ctx, { kinds })).find((each) => each.slug === slug);
  if (found === undefined) throw notFound('verifier');
  const hasModels = (await listProviderModels(ctx, ctx.projectId)).length > 0;
  const config = await getConfig(ctx, kinds, slug);
  const kind = kinds.get(slug);
  if (kind === undefined) throw notFound('verifier');
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
