import type { ProjectCtx } from '../access';
import { listCustomVerifiers } from '../catalog';
import { readVerifierName, seriesOf } from '../domain';
import { builtIn } from '../verifiers';
import type { Fragment } from 'postgres';
import { readPassWeights } from '../verdicts';
import { readAuditReach } from './audit-reach';
import { readWeights, withDecided, type ItemWeights } from './clusters';
import { countOutcomes } from './count-outcomes';
import { type Counted, countLabelledVerdicts } from './count-labelled-verdicts';
import { labelledVerdictRows, type Wanted } from './labelled-verdicts';
import { seriesColumn } from './labelled-verdicts-of';
import { ofVersion } from './populations';
import type { Origin } from './measure-input';
import { findLimitedAccounts, type LimitedAccount } from './outweighing';
import { type Counts, noCounts, type Rates, ratesOf } from './rates';
import { countRetries } from './retries';

export interface VerifierMeasures {
  /** Slug of a verifier, or name of an imported judge. */
  readonly verifier: string;
  readonly origin: Origin;
  /** `imported` for judges whose verdicts were imported. */
  readonly kind: string;
  readonly counts: Counts;
  readonly rates: Rates;
  /** Accounts of which only some rulings count (S-35) and which a person should check. */
  readonly outweighing: readonly LimitedAccount[];
}

/**
 * The accuracy of each verifier: this instance's own, including unlabelled ones, then imported
 * judges, each by name. `from` is inclusive, `to` exclusive. A verdict counts at its settlement
 * time, an imported judgement at the time it was made, or else at its import. Filtering by `judge`
 * excludes imported judgements.
 */
export async function measureVerifiers(
  ctx: ProjectCtx,
  wanted: Wanted,
): Promise<VerifierMeasures[]> {
  return (await measureBySteps(ctx, wanted)).measured;
}

/**
 * The same, with the weights of labels per day or week, by `series begin`, read together with the
 * total weights.
 */
export async function measureBySteps(
  ctx: ProjectCtx,
  wanted: Wanted,
  step?: 'day' | 'week',
): Promise<{
  readonly measured: VerifierMeasures[];
  readonly weights: Readonly<Record<Origin, ReadonlyMap<string, ItemWeights>>>;
}> {
  const outweighing = await findLimitedAccounts(ctx, wanted.verifier);
  const bySteps = (rows: Fragment): Fragment =>
    step === undefined
      ? rows
      : ctx.sql`
          select name as series, machine, good, overruled, session_id, subject_id
          from (${rows}) as judged cross join lateral (values
            (series), (series || ' ' || date_trunc(${step}, day::timestamp)::date::text)
          ) as s(name)`;
  const [own, imported, outcomes, retries, audits, weights] = await Promise.all([
    countLabelledVerdicts(ctx, 'verifier', { ...wanted, outweighing }),
    wanted.judge === undefined ? countLabelledVerdicts(ctx, 'imported', wanted) : [],
    countOutcomes(ctx, wanted),
    countRetries(ctx, wanted),
    readAuditReach(ctx, wanted),
    readWeights(ctx, bySteps(labelledVerdictRows(ctx, 'verifier', { ...wanted, outweighing }))),
  ]);
  const ofImported = await readWeights(ctx, bySteps(newestImported(ctx, wanted, imported)));
  const passWeights = await readPassWeightsOf(ctx, wanted, outcomes.keys());
  const kindOf = await readKinds(ctx);
  const requestedSeries =
    wanted.verifier === undefined ? null : seriesOf(readVerifierName(wanted.verifier));
  const known = [...builtIn.values()]
    .filter(
      (kind) => kind.readsTurns && (requestedSeries === null || kind.name === requestedSeries),
    )
    .map(({ name }) => [name, name] as const);
  const kinds = new Map([
    ...known,
    ...[...outcomes.keys()].map((series) => [series, kindOf(series)] as const),
  ]);
  const otherSeries = [...own.map(({ series }) => series), ...retries.keys()];
  for (const series of otherSeries) if (!kinds.has(series)) kinds.set(series, kindOf(series));
  const rows = new Map(own.map((each) => [each.series, each]));
  const measured = [
    ...[...kinds].sort(byName).map(([slug, kind]) => {
      const counts = {
        ...noCounts,
        ...rows.get(slug)?.counts,
        ...(outcomes.get(slug) ?? { decided: 0, passes: 0 }),
        audit: audits.get(slug),
        weights: withDecided(weights.get(slug), passWeights.get(slug)),
      };
      const more = { retries: retries.get(slug), correlation: rows.get(slug)?.correlation };
      const limitedAccounts = outweighing.filter(
        (each) => each.slug === readVerifierName(slug).slug,
      );
      return {
        verifier: slug,
        origin: 'verifier' as const,
        kind,
        counts,
        rates: ratesOf(counts, more),
        outweighing: limitedAccounts,
      };
    }),
    ...imported
      .map((each) => measureImported(each, ofImported.get(each.series)))
      .sort((a, b) => byName([a.verifier, null], [b.verifier, null])),
  ];
  return { measured, weights: { verifier: weights, imported: ofImported } };
}

/**
 * Maximum number of judgements of an imported judge read for the correlation within sessions. Its
 * rates come from the daily counts, and this read must not take longer than they do.
 */
const importedMax = 10_000;

function newestImported(
  { sql, projectId }: ProjectCtx,
  { from, to }: Wanted,
  counted: readonly Counted[],
): Fragment {
  return sql`
    select newest.* from jsonb_array_elements_text(
      ${JSON.stringify(counted.map(({ series }) => series))}::text::jsonb
    ) as w(name)
    cross join lateral (
      select * from judgements j where j.project_id = ${projectId} and j.origin = 'imported'
        and j.series = w.name
        ${from === undefined ? sql`` : sql`and j.at >= ${from.toISOString()}::timestamptz`}
        ${to === undefined ? sql`` : sql`and j.at < ${to.toISOString()}::timestamptz`}
      order by j.at desc, j.id desc limit ${importedMax}
    ) as newest`;
}

function readPassWeightsOf(
  ctx: ProjectCtx,
  wanted: Wanted,
  series: Iterable<string>,
): Promise<Map<string, number>> {
  const { from, to, judge, verifier } = wanted;
  const version = verifier === undefined ? null : readVerifierName(verifier).version;
  return readPassWeights(ctx, {
    slugs: [...new Set([...series].map((each) => readVerifierName(each).slug))],
    by: seriesColumn(ctx),
    from,
    to,
    only: ofVersion(ctx, version, judge),
  });
}

function measureImported(
  { series, counts: ofSeries, correlation }: Counted,
  weights: ItemWeights | undefined,
): VerifierMeasures {
  const counts = { ...ofSeries, weights };
  return {
    verifier: series,
    origin: 'imported',
    kind: 'imported',
    counts,
    rates: ratesOf(counts, { correlation }),
    outweighing: [],
  };
}

/** The name of each series' kind: of a verifier of the release, its own. */
async function readKinds(ctx: ProjectCtx): Promise<(series: string) => string> {
  const own = new Map(
    (await listCustomVerifiers(ctx, ctx.projectId)).map(({ slug, kind }) => [slug, kind.name]),
  );
  return (series) => {
    const { slug } = readVerifierName(series);
    return own.get(slug) ?? slug;
  };
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;
