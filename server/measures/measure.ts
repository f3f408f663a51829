import type { ProjectCtx } from '../access';
import { readVerifierName, seriesOf } from '../domain';
import { ruleVerifiers, turnKinds } from '../verifiers';
import { readAuditReach } from './audit-reach';
import { readWorth } from './clusters';
import { countOutcomes } from './count-outcomes';
import { type Counted, countJudgements } from './count-judgements';
import { judgements, type Wanted } from './judgements';
import type { Origin } from './measure-input';
import { findOutweighing, type Outweighing } from './outweighing';
import { type Counts, noCounts, type Rates, ratesOf } from './rates';
import { countRetries } from './retries';

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

/**
 * How often each verifier is right: this instance's own, those without a label too, then imported
 * judges, each by name. `from` is inclusive, `to` exclusive; a verdict counts when it settled, an
 * imported judgement when it was made, or else imported. Of one `judge` there are no imported
 * judgements.
 */
export async function measureVerifiers(
  ctx: ProjectCtx,
  wanted: Wanted,
): Promise<VerifierMeasures[]> {
  const outweighing = await findOutweighing(ctx, wanted.verifier);
  const [own, imported, outcomes, retries, audits, worth] = await Promise.all([
    countJudgements(ctx, 'verifier', { ...wanted, outweighing }),
    wanted.judge === undefined ? countJudgements(ctx, 'imported', wanted) : [],
    countOutcomes(ctx, wanted),
    countRetries(ctx, wanted),
    readAuditReach(ctx, wanted),
    readWorth(ctx, judgements(ctx, 'verifier', { ...wanted, outweighing })),
  ]);
  const asked = wanted.verifier === undefined ? null : seriesOf(readVerifierName(wanted.verifier));
  const known = [...turnKinds]
    .filter(([slug]) => ruleVerifiers.has(slug) && (asked === null || slug === asked))
    .map(([slug, { kind }]) => [slug, kind.name] as const);
  const kinds = new Map([
    ...known,
    ...[...outcomes.keys()].map((series) => [series, kindOf(series)] as const),
  ]);
  const measured = [...own.map(({ series }) => series), ...retries.keys()];
  for (const series of measured) if (!kinds.has(series)) kinds.set(series, kindOf(series));
  const rows = new Map(own.map((each) => [each.series, each]));
  return [
    ...[...kinds].sort(byName).map(([slug, kind]) => {
      const counts = {
        ...noCounts,
        ...rows.get(slug)?.counts,
        ...(outcomes.get(slug) ?? { decided: 0, passes: 0 }),
        audit: audits.get(slug),
        worth: worth.get(slug),
      };
      const beside = { retries: retries.get(slug), correlation: rows.get(slug)?.correlation };
      const held = outweighing.filter((each) => each.slug === readVerifierName(slug).slug);
      return {
        verifier: slug,
        origin: 'verifier' as const,
        kind,
        counts,
        rates: ratesOf(counts, beside),
        outweighing: held,
      };
    }),
    ...imported.map(measureImported).sort((a, b) => byName([a.verifier, null], [b.verifier, null])),
  ];
}

function measureImported({ series, counts, correlation }: Counted): VerifierMeasures {
  return {
    verifier: series,
    origin: 'imported',
    kind: 'imported',
    counts,
    rates: ratesOf(counts, { correlation }),
    outweighing: [],
  };
}

/** A kind that turns do not have is named as its verifier. */
function kindOf(series: string): string {
  const { slug } = readVerifierName(series);
  return turnKinds.get(slug)?.kind.name ?? slug;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;
