import { minSampleSize, newcombe, readVerifierName } from '../domain';
import type { ProjectCtx } from '../access';

/**
 * One account whose rulings would outvote all others and contradict them (S-35). Of its rulings,
 * only as many count, earliest first, as other accounts have made. A person who rules often and
 * agrees with others is not limited. Neither is one contradicted by only a single other account:
 * counting cannot decide between two.
 */
export interface LimitedAccount {
  readonly slug: string;
  /** The authenticated account: callers may write any name as `rater`. */
  readonly account: string;
  readonly rulings: number;
  readonly overruled: number;
  readonly counted: number;
  readonly others: number;
  readonly othersOverruled: number;
  /** Time of the last ruling that counts, as PostgreSQL formats it. */
  readonly until: string;
}

interface Row {
  slug: string;
  account: string;
  rulings: number;
  overruled: number;
}

/**
 * Searches all verifiers or one, over all time: whether a ruling counts does not depend on the
 * selected period. Includes self-judged work.
 */
export async function findLimitedAccounts(
  ctx: ProjectCtx,
  verifier?: string,
): Promise<readonly LimitedAccount[]> {
  const { sql, projectId } = ctx;
  const rows = await sql<Row[]>`
    select slug, account, ruled::int as rulings, overruled::int from judgement_accounts
    where project_id = ${projectId} and ruled > 0 ${verifier === undefined ? sql`` : sql`and slug = ${readVerifierName(verifier).slug}`}
    order by slug, account`;
  const found: LimitedAccount[] = [];
  for (const row of rows) {
    const otherRows = rows.filter(
      ({ slug, account }) => slug === row.slug && account !== row.account,
    );
    const [n, k] = [sum(otherRows, 'rulings'), sum(otherRows, 'overruled')];
    const witnesses = otherRows.filter(({ rulings }) => rulings >= minOfWitness).length;
    if (
      row.rulings <= n ||
      n < minSampleSize ||
      witnesses < 2 ||
      !overrulesMore(row, { rulings: n, overruled: k })
    )
      continue;
    const until = await lastCounted(ctx, row, n);
    if (until !== null) found.push({ ...row, counted: n, others: n, othersOverruled: k, until });
  }
  return found;
}

/** Fewer rulings than this are not enough to assess an account. */
const minOfWitness = 10;

const sum = (rows: readonly Row[], of: 'rulings' | 'overruled'): number =>
  rows.reduce((total, row) => total + row[of], 0);

type Overruling = Pick<Row, 'rulings' | 'overruled'>;

/** Whether the 95% interval of the difference of their shares is above 0. */
export function overrulesMore(one: Overruling, other: Overruling): boolean {
  return newcombe(shareOf(one), shareOf(other)).low > 0;
}

const shareOf = ({ rulings, overruled }: Overruling) => ({
  numerator: overruled,
  denominator: rulings,
});

/** Null if the rulings were undone in the meantime. */
async function lastCounted(
  { sql, projectId }: ProjectCtx,
  { slug, account }: Row,
  count: number,
): Promise<string | null> {
  const [row] = await sql<{ until: string }[]>`
    select ruled_at::text as until from judgements
    where project_id = ${projectId} and origin = 'verifier' and slug = ${slug} and overruled is not null and account = ${account}
    order by ruled_at offset ${count - 1} limit 1`;
  return row?.until ?? null;
}
