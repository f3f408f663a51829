import type { ProjectCtx } from '../access';
import { listVerifierSlugs } from '../catalog';
import { seriesOf } from '../domain';
import { listPrompts, type PromptDefaults } from '../prompts';
import { kinds } from '../verifiers';

/** A series of verdicts in its current configuration, which labels must match to count. */
export interface CurrentSeries {
  readonly series: string;
  readonly slug: string;
  readonly version: number;
  /** '' if no judge is called. */
  readonly judge: string;
  /** The policy version under which labels are created; 0 if there is none. */
  readonly policy: number;
  /** The latest promotion of one of its prompts; null for the release's own prompts. */
  readonly prompt: { readonly slug: string; readonly version: number; readonly at: Date } | null;
}

/**
 * Number of newest verdicts that determine the judge: few enough to follow a change soon, and
 * enough to ignore a fallback that judged for an hour.
 */
const newest = 50;

interface Row {
  slug: string;
  self: boolean;
  version: number;
  policy: number;
  judge: string | null;
}

/**
 * All series with a verdict. The current judge is the one of most of the newest verdicts, because
 * the judge is chosen for each verdict by the judged model. For a verifier in the gateway it is the
 * most frequent judge of the latest day.
 */
export async function readCurrentSeries(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
): Promise<CurrentSeries[]> {
  const [rows, moved] = await Promise.all([readSeries(ctx), readMoved(ctx, prompts)]);
  const promptOf = new Map(moved.toReversed().map(({ verifier, ...prompt }) => [verifier, prompt]));
  return rows.map(({ slug, self, version, policy, judge }) => ({
    series: seriesOf({ slug, self }),
    slug,
    version,
    judge: judge ?? '',
    policy,
    prompt: promptOf.get(slug) ?? null,
  }));
}

function fromOf(slug: string): 'rules' | 'gateway' | 'calls' {
  const kind = kinds.get(slug);
  if (kind?.fromTurn === undefined) return 'calls';
  return kind.readsTurns ? 'rules' : 'gateway';
}

async function readSeries(ctx: ProjectCtx): Promise<Row[]> {
  const { sql, projectId } = ctx;
  const slugs = (await listVerifierSlugs(ctx, projectId)).map((slug) => ({
    slug,
    // A verifier that gets turns from rules calls no judge; for other verifiers of turns, the
    // gateway calls the judge.
    from: fromOf(slug),
  }));
  return sql<Row[]>`
    with each as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(slugs)}::text::jsonb) as s(slug text, "from" text)
      where exists (select from verdict_rollups r where r.project_id = ${projectId} and r.verifier_slug = s.slug)
    ), judges as (
      select e.slug, v.self, v.judge, count(*) as verdicts from each e cross join lateral (
        select cross_model is not distinct from 'self' as self, judge_model as judge from verdicts
        where project_id = ${projectId} and verifier_slug = e.slug and subject_kind <> 'turn' and outcome in ('passed', 'failed') and experiment_id is null
        order by settled_at desc, id desc limit ${newest}
      ) as v
      where e.from = 'calls' group by e.slug, v.self, v.judge
      union all
      select e.slug, p.self, nullif(p.judge, ''), sum(p.passed + p.failed) from each e
      join verdict_populations p on p.project_id = ${projectId} and p.verifier_slug = e.slug and p.day = (
        select max(day) from verdict_populations where project_id = ${projectId} and verifier_slug = e.slug
      )
      where e.from = 'gateway' group by e.slug, p.self, p.judge
      union all
      select slug, false, null, 0 from each
    )
    select j.slug, j.self,
      coalesce((select max(version) from verifier_versions where project_id = ${projectId} and slug = j.slug), 1)::int as version,
      coalesce((select max(version) from label_policies where project_id = ${projectId} and verifier_slug = j.slug), 0)::int as policy,
      (array_agg(j.judge order by j.verdicts desc, j.judge) filter (where j.judge is not null))[1] as judge
    from judges j group by j.slug, j.self order by j.slug, j.self`;
}

/**
 * Newest first. Promoting back and forth counts as another prompt: labels before the last promotion
 * may belong to a different version.
 */
async function readMoved(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
): Promise<(NonNullable<CurrentSeries['prompt']> & { readonly verifier: string })[]> {
  const moved = (await listPrompts(ctx, prompts)).flatMap(
    ({ slug, verifier, production: { version, at } }) =>
      // No verifier uses the prompt of an application, regardless of its slug.
      at === null || verifier === null ? [] : [{ slug, version, at, verifier }],
  );
  return moved.sort((a, b) => b.at.getTime() - a.at.getTime());
}
