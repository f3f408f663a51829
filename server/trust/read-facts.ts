import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { labelledOf, type Matrix } from '../domain';
import { identityOf } from '../ingest';
import { type TrustSettings, trustSettingsOf } from '../thresholds';
import { findLimitedAccounts, labelledVerdictRows, sliceColumns } from '../measures';
import { type ClusterColumns, clusterColumn, sumsOfClusters, weightOfSums } from '../verdicts';
import type { FoundDrift } from './drifts';
import type { CurrentSeries } from './current-series';
import type { ClassWeights, LostEvidence, TrustFacts } from './trust-of';

/** Facts of one series under one judge. */
export interface JudgeFacts {
  readonly judge: string;
  readonly isCurrent: boolean;
  readonly facts: TrustFacts;
}

/** The settings and drifts for checking a series. */
export interface CheckedSeries {
  readonly series: CurrentSeries;
  readonly drift: FoundDrift | null;
  readonly halfLifeDays: number;
  readonly requiredSlices: readonly {
    readonly by: keyof typeof sliceColumns;
    readonly value: string;
  }[];
}

export function checkedSeriesOf(
  series: CurrentSeries,
  drifts: readonly FoundDrift[],
  settings: readonly TrustSettings[],
): CheckedSeries {
  const { halfLifeDays, requiredSlices } = trustSettingsOf(settings, series.slug);
  return {
    series,
    drift: drifts.find(({ slug }) => slug === series.slug) ?? null,
    halfLifeDays,
    requiredSlices,
  };
}

type Class = 'bad' | 'good';

/** Includes sums over sessions for the catch rate and for false rejections of good items. */
interface EvidenceRow extends Matrix, ClusterColumns<Class> {
  series: string;
  judge: string;
  version: number;
  of_policy: boolean;
  of_prompt: boolean;
  of_drift: boolean;
  labels: number;
  defects: number;
  slice_by: string | null;
  slice_value: string | null;
}

/**
 * The facts of each series, for the current judge and for every other judge with labels at the
 * current version. Verdicts of checks without a judge count for each judge, since they are of the
 * same verifier. Two judges are never counted together (R-59). Runs one statement over the labelled
 * verdicts.
 */
export async function readFacts(
  ctx: ProjectCtx,
  checked: readonly CheckedSeries[],
): Promise<ReadonlyMap<string, readonly JudgeFacts[]>> {
  const rows = await readEvidence(ctx, checked);
  return new Map(
    checked.map((each) => {
      const { series, version, judge } = each.series;
      const own = rows.filter((row) => row.series === series);
      const otherJudges = own.flatMap((row) =>
        row.version === version && row.judge !== '' && row.judge !== judge ? [row.judge] : [],
      );
      const judges = [judge, ...(judge === '' ? [] : new Set(otherJudges))];
      return [
        series,
        judges.map((name, place) => ({
          judge: name,
          isCurrent: place === 0,
          facts: factsOf(each, own, name, place === 0),
        })),
      ];
    }),
  );
}

function factsOf(
  checked: CheckedSeries,
  rows: readonly EvidenceRow[],
  judge: string,
  isCurrent: boolean,
): TrustFacts {
  const overall = rows.filter((row) => row.slice_by === null);
  const current = overall.filter((row) => whyLost(checked, row, judge) === null);
  const lost = new Map<string, LostEvidence>();
  for (const row of overall) {
    const why = whyLost(checked, row, judge);
    // Labels of another judge never counted for a fallback judge, so they are not lost.
    if (why === null || (row.judge !== judge && row.judge !== '' && !isCurrent)) continue;
    const before = lost.get(why.why) ?? { ...why, labels: 0, defects: 0 };
    lost.set(why.why, {
      ...before,
      labels: before.labels + labelledOf(row),
      defects: before.defects + row.caught + row.missed,
    });
  }
  return {
    matrix: added(current),
    weights: weightsOfEvidence(current),
    effective: { labels: sumOf(current, 'labels'), defects: sumOf(current, 'defects') },
    slices: checked.requiredSlices.map(({ by, value }) => {
      const own = rows.filter(
        (row) =>
          row.slice_by === by && row.slice_value === value && whyLost(checked, row, judge) === null,
      );
      return { by, value, matrix: added(own), weights: weightsOfEvidence(own) };
    }),
    lost: [...lost.values()],
  };
}

/**
 * Why a labelled verdict no longer counts for `judge`; null if it does. Of several reasons, returns
 * the first.
 */
function whyLost(
  { series, drift }: CheckedSeries,
  row: EvidenceRow,
  judge: string,
): Pick<LostEvidence, 'what' | 'why'> | null {
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  if (row.version !== series.version)
    return { what: 'config', why: `Version ${series.version} of the verifier is current` };
  if (row.judge !== judge && row.judge !== '')
    return { what: 'judge', why: `${judge === '' ? 'No model' : judge} judges now` };
  if (!row.of_policy)
    return { what: 'policy', why: `Version ${series.policy} of its labelling policy is current` };
  if (!row.of_prompt && series.prompt !== null) {
    const { slug, version, at } = series.prompt;
    return {
      what: 'config',
      why: `Version ${version} of the prompt ${slug} went into production on ${day(at)}`,
    };
  }
  if (!row.of_drift && drift !== null) {
    const { set, at, better, worse, both } = drift;
    return {
      what: 'drift',
      why: `Judged again on ${day(at)}, ${worse + better} of ${both} items of the anchor set “${set}” had another outcome, ${worse} of them wrong`,
    };
  }
  return null;
}

function readEvidence(ctx: ProjectCtx, checked: readonly CheckedSeries[]): Promise<EvidenceRow[]> {
  if (checked.length === 0) return Promise.resolve([]);
  return findLimitedAccounts(ctx).then((outweighing) =>
    queryEvidence(ctx, checked, labelledVerdictRows(ctx, 'verifier', { outweighing })),
  );
}

/**
 * Reads the evidence. Outcomes that were reported or imported for a subject, not for a verdict, do
 * not depend on a labelling policy, so a later policy does not invalidate them. For the gateway, a
 * steered answer counts as flagged: measures exclude it because it neither passed nor failed, but
 * it is the only evidence for the permission to steer.
 */
function queryEvidence(
  ctx: ProjectCtx,
  checked: readonly CheckedSeries[],
  rows: Fragment,
): Promise<EvidenceRow[]> {
  const { sql } = ctx;
  const wanted = checked.map(({ series, drift, halfLifeDays }) => ({
    series: series.series,
    policy: series.policy,
    prompt_at: series.prompt?.at ?? null,
    drift_at: drift?.at ?? null,
    half_life: halfLifeDays,
  }));
  const slices = checked.flatMap(({ series, requiredSlices }) =>
    requiredSlices.map((slice) => ({ series: series.series, ...slice })),
  );
  const counted = sql`
    (count(*) filter (where machine = 'failed' and not good))::int as caught, (count(*) filter (where machine = 'passed' and not good))::int as missed,
    (count(*) filter (where machine = 'failed' and good))::int as rejected, (count(*) filter (where machine = 'passed' and good))::int as passed,
    sum(weight) as labels, coalesce(sum(weight) filter (where not good), 0) as defects`;
  const fields = Object.entries(sliceColumns)
    .map(([by, column]) => sql`when ${by} then ${sql(column)}`)
    .reduce((before, each) => sql`${before} ${each}`);
  const columns = sql`series, judge, version, of_policy, of_prompt, of_drift`;
  return sql<EvidenceRow[]>`
    with wanted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as w(
        series text, policy int, prompt_at timestamptz, drift_at timestamptz, half_life double precision)
    ), slices as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(slices)}::text::jsonb) as s(series text, by text, value text)
    ), said as materialized (
      select j.series, j.judge, j.version, j.policy = w.policy or (j.policy = 0 and j.truth_of <> 'override') as of_policy, w.prompt_at is null or j.at >= w.prompt_at as of_prompt,
        w.drift_at is null or j.at >= w.drift_at as of_drift, ${identityOf(ctx, sql`j.project_id`, sql`j.model`)} as model, j.tier, j.complexity, j.mission_id,
        case when j.kind = 'turn' and j.word = 'steer' then 'failed' else j.machine end as machine,
        case when j.good is null and j.kind = 'turn' and j.account is not null and not j.contested then false else j.good end as good,
        case when w.half_life = 0 then 1 else power(2, greatest(-1000,
          -greatest(0, extract(epoch from ${ctx.clock.now().toISOString()}::timestamptz - coalesce(j.ruled_at, j.at))::double precision) / 86400 / w.half_life
        )) end as weight, ${clusterColumn(sql)} as cluster
      from (${rows}) as j join wanted w on w.series = j.series
    )
    select ${columns}, sum(caught)::int as caught, sum(missed)::int as missed,
      sum(rejected)::int as rejected, sum(passed)::int as passed, sum(labels) as labels,
      sum(defects) as defects, slice_by, slice_value,
      ${sumsOfClusters(sql, 'bad', sql`caught`, sql`(caught + missed)`)},
      ${sumsOfClusters(sql, 'good', sql`rejected`, sql`(rejected + passed)`)}
    from (
      select ${columns}, ${counted}, null::text as slice_by, null::text as slice_value from said
      where machine is not null and good is not null group by ${columns}, cluster
      union all
      select said.series, judge, version, of_policy, of_prompt, of_drift, ${counted}, s.by, s.value
      from said
      join slices s on s.series = said.series and case s.by ${fields} end = s.value
      where machine is not null and good is not null
      group by said.series, judge, version, of_policy, of_prompt, of_drift, s.by, s.value, cluster
    ) as by_cluster group by ${columns}, slice_by, slice_value`;
}

/**
 * A session with labels in several rows, for example of two versions, is a separate cluster in
 * each.
 */
function weightsOfEvidence(rows: readonly EvidenceRow[]): ClassWeights {
  return { bad: weightOfSums('bad', ...rows), good: weightOfSums('good', ...rows) };
}

function added(rows: readonly EvidenceRow[]): Matrix {
  return {
    caught: sumOf(rows, 'caught'),
    missed: sumOf(rows, 'missed'),
    rejected: sumOf(rows, 'rejected'),
    passed: sumOf(rows, 'passed'),
  };
}

const sumOf = (rows: readonly EvidenceRow[], of: keyof Matrix | 'labels' | 'defects'): number =>
  rows.reduce((total, row) => total + row[of], 0);
