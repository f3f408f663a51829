import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { canaryKind } from './choose-items';
import { hasMoved, groupByItem } from './find-from-answers';
import { getProbeRun } from './list-probes';
import type { ProbeAnswer, ProbeDetail, ProbeItem } from './probe';
import { probeLimits } from './probe-input';

interface Row extends ProbeAnswer {
  readonly ordinal: number;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly excerpt: string;
  readonly good: boolean | null;
  readonly verdict_id: string | null;
}

/**
 * A probe with the answers on each item, grouped by form. Returns 25 items after `after`: all of
 * them, or only the relevant ones (items with flips, and canaries that passed).
 * @throws AssayError not_found
 */
export async function getProbe(
  ctx: ProjectCtx,
  input: { readonly id: string; readonly after: number; readonly moved: boolean },
): Promise<ProbeDetail> {
  const { sql, projectId } = ctx;
  const run = await getProbeRun(ctx, input.id);
  const { slug } = readVerifierName(run.verifier);
  const isRelevant =
    run.probe === 'canaries'
      ? sql`count(*) filter (where outcome = 'passed') > 0`
      : sql`count(distinct outcome) filter (where outcome not in ('inconclusive', 'skipped', 'left_out')) > 1`;
  const rows = await sql<Row[]>`
    with wanted as (
      select ordinal from probe_answers where project_id = ${projectId} and run_id = ${run.id} and ordinal > ${input.after}
      group by ordinal
      having ${input.moved ? isRelevant : sql`true`}
      order by ordinal limit ${probeLimits.page + 1}
    )
    select a.ordinal, a.variant, a.repeat, a.subject_kind, a.subject_id, a.excerpt, a.good, a.outcome, a.verdict, a.score, a.reason, a.judge,
      v.id as verdict_id
    from wanted join probe_answers a on a.project_id = ${projectId} and a.run_id = ${run.id} and a.ordinal = wanted.ordinal
    left join lateral (
      select id from verdicts where project_id = ${projectId} and subject_kind = a.subject_kind and subject_id = a.subject_id
        and verifier_slug = ${slug} and a.subject_kind <> ${canaryKind} and experiment_id is null
      order by settled_at desc limit 1
    ) as v on true
    order by a.ordinal, a.variant, a.repeat`;
  const items = groupByItem(rows);
  const shown = items.slice(0, probeLimits.page);
  return {
    ...run,
    rows: shown.map(asItem),
    next: items.length > shown.length ? (shown.at(-1)?.[0]?.ordinal ?? null) : null,
  };
}

function asItem(rows: readonly Row[]): ProbeItem {
  const [first] = rows;
  return {
    ordinal: first?.ordinal ?? 0,
    excerpt: first?.excerpt ?? '',
    verdictId: first?.verdict_id ?? null,
    good: first?.good ?? null,
    moved: hasMoved(rows.flatMap(({ outcome }) => (outcome === null ? [] : [{ outcome }]))),
    answers: rows.map(({ variant, repeat, outcome, verdict, score, reason, judge }) => ({
      variant,
      repeat,
      outcome,
      verdict,
      score,
      reason,
      judge,
    })),
  };
}
