import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { readVerifierName, seriesOf } from '../../domain';
import { ruleVerifiers, turnKinds } from '../../verifiers';
import { countOutcomes } from './count-outcomes';
import { judgements, type Wanted } from './judgements';
import type { Origin } from './measure-input';
import { findOutweighing, type Outweighing } from './outweighing';
import { type Counts, noCounts, type Rates, ratesOf } from './rates';

export interface VerifierMeasures {
  /** Slug of a verifier, or the name of an imported judge. */
  readonly verifier: string;
  readonly origin: Origin;
  /** `imported` for judges whose verdicts were imported. */
  readonly kind: string;
  readonly counts: Counts;
  readonly rates: Rates;
  /** Accounts of which only some rulings count (S-35); a person should look at them. */
  readonly outweighing: readonly Outweighing[];
}

export interface CountRow {
  slug: string;
  kind: string;
  caught: number;
  missed: number;
  rejected: number;
  passed: number;
  undecided: number;
  unparseable: number;
  ruled: number;
  overruled: number;
  decided: number;
  passes: number;
}

/**
 * How often each verifier is right: this instance's own, those without a label too, then imported judges, each by name. `from` is
 * inclusive, `to` exclusive; a verdict counts when it settled, an imported judgement when it was made, or else imported. Of one
 * `judge` there are no imported judgements.
 */
export async function measureVerifiers(ctx: ProjectCtx, wanted: Wanted): Promise<VerifierMeasures[]> {
  const outweighing = await findOutweighing(ctx, wanted.verifier);
  const [own, imported, outcomes] = await Promise.all([
    countOrigin(ctx, 'verifier', { ...wanted, outweighing }),
    wanted.judge === undefined ? countOrigin(ctx, 'imported', wanted) : [],
    countOutcomes(ctx, wanted),
  ]);
  const asked = wanted.verifier === undefined ? null : seriesOf(readVerifierName(wanted.verifier));
  const known = [...turnKinds]
    .filter(([slug]) => ruleVerifiers.has(slug) && (asked === null || slug === asked))
    .map(([slug, { kind }]) => [slug, kind.name] as const);
  const kinds = new Map([...known, ...[...outcomes.keys()].map((series) => [series, kindOf(series)] as const)]);
  for (const row of own) kinds.set(row.slug, row.kind);
  const rows = new Map(own.map((row) => [row.slug, row]));
  return [
    ...[...kinds].sort(byName).map(([slug, kind]) => {
      const counts = { ...noCounts, ...countsOf(rows.get(slug)), ...(outcomes.get(slug) ?? { decided: 0, passes: 0 }) };
      const held = outweighing.filter((each) => each.slug === readVerifierName(slug).slug);
      return { verifier: slug, origin: 'verifier' as const, kind, counts, rates: ratesOf(counts), outweighing: held };
    }),
    ...imported
      .map((row) => [row.slug, row] as const)
      .sort(byName)
      .map(([verifier, row]) => {
        const counts = countsOf(row);
        return { verifier, origin: 'imported' as const, kind: row.kind, counts, rates: ratesOf(counts), outweighing: [] };
      }),
  ];
}

/** A kind that turns do not have is named as its verifier. */
function kindOf(series: string): string {
  const { slug } = readVerifierName(series);
  return turnKinds.get(slug)?.kind.name ?? slug;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);

async function countOrigin(ctx: ProjectCtx, origin: Origin, wanted: Wanted): Promise<CountRow[]> {
  return ctx.sql<CountRow[]>`
    select slug, min(kind) as kind, ${cellCounts(ctx)} from (${judgements(ctx, origin, wanted)}) as judged group by slug`;
}

/** The counts of a relation of judgements, as columns. */
export function cellCounts({ sql }: Pick<ProjectCtx, 'sql'>): Fragment {
  return sql`
    (count(*) filter (where machine = 'failed' and good = false))::int as caught,
    (count(*) filter (where machine = 'passed' and good = false))::int as missed,
    (count(*) filter (where machine = 'failed' and good = true))::int as rejected,
    (count(*) filter (where machine = 'passed' and good = true))::int as passed,
    (count(*) filter (where machine is null and good is not null))::int as undecided,
    (count(*) filter (where unread))::int as unparseable,
    (count(*) filter (where overruled is not null))::int as ruled,
    (count(*) filter (where overruled))::int as overruled,
    (count(*) filter (where machine is not null))::int as decided,
    (count(*) filter (where machine = 'passed'))::int as passes`;
}

export function countsOf(row: CountRow | undefined): Counts {
  if (row === undefined) return noCounts;
  const { caught, missed, rejected, passed, undecided, unparseable, ruled, overruled, decided, passes } = row;
  return { caught, missed, rejected, passed, undecided, unparseable, ruled, overruled, decided, passes };
}
