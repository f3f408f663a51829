import { leastForRate, newcombe, readVerifierName } from '../../domain';
import type { ProjectCtx } from '../../access';
import { judgements } from './judgements';

/**
 * One account whose rulings would outvote everybody else's and say something else than theirs (S-35): of them only so many count, the earliest,
 * as others have made. A person who rules a lot and rules as others do is not held back, and neither is one whom only one other contradicts:
 * which of two is right nobody can tell by counting.
 */
export interface Outweighing {
  readonly slug: string;
  /** Who ruled, as the server knows them: what a caller writes as `rater` can be any name. */
  readonly account: string;
  readonly rulings: number;
  readonly overruled: number;
  readonly counted: number;
  readonly others: number;
  readonly othersOverruled: number;
  /** Of the last ruling that counts, as PostgreSQL writes it. */
  readonly until: string;
}

interface Row {
  slug: string;
  account: string;
  rulings: number;
  overruled: number;
}

/** Of all verifiers or of one, over all time: whether a ruling counts does not change with the period that is looked at. */
export async function findOutweighing(ctx: ProjectCtx, verifier?: string): Promise<readonly Outweighing[]> {
  const wanted = { together: true, ...(verifier !== undefined && { verifier: readVerifierName(verifier).slug }) };
  if (!(await haveSeveralRuled(ctx))) return [];
  const rows = await ctx.sql<Row[]>`
    select slug, account, count(*)::int as rulings, (count(*) filter (where overruled))::int as overruled
    from (${judgements(ctx, 'verifier', wanted)}) as judged
    where overruled is not null and account is not null group by slug, account order by slug, account`;
  const found: Outweighing[] = [];
  for (const row of rows) {
    const others = rows.filter(({ slug, account }) => slug === row.slug && account !== row.account);
    const [n, k] = [sum(others, 'rulings'), sum(others, 'overruled')];
    const witnesses = others.filter(({ rulings }) => rulings >= leastOfWitness).length;
    if (row.rulings <= n || n < leastForRate || witnesses < 2 || !overrulesMore(row, { rulings: n, overruled: k })) continue;
    const until = await lastCounted(ctx, row, n);
    found.push({ ...row, counted: n, others: n, othersOverruled: k, until });
  }
  return found;
}

/** Of the labels alone: in most projects one or two people rule, and nobody need be held against anybody. */
async function haveSeveralRuled({ sql, projectId }: ProjectCtx): Promise<boolean> {
  const rows = await sql`
    select 1 from (
      select verifier_slug, created_by from labels where project_id = ${projectId} and kind = 'override'
      group by verifier_slug, created_by having count(*) >= ${leastOfWitness}
    ) as ruled group by verifier_slug having count(*) >= 3 limit 1`;
  return rows.length > 0;
}

/** Fewer rulings than this say little about how somebody rules. */
const leastOfWitness = 10;

const sum = (rows: readonly Row[], of: 'rulings' | 'overruled'): number => rows.reduce((total, row) => total + row[of], 0);

type Overruling = Pick<Row, 'rulings' | 'overruled'>;

/** The 95 % interval of the difference of their shares lies above 0. */
export function overrulesMore(one: Overruling, other: Overruling): boolean {
  return newcombe(shareOf(one), shareOf(other)).low > 0;
}

const shareOf = ({ rulings, overruled }: Overruling) => ({ numerator: overruled, denominator: rulings });

async function lastCounted(ctx: ProjectCtx, { slug, account }: Row, count: number): Promise<string> {
  const [row] = await ctx.sql<{ until: string }[]>`
    select ruled_at::text as until from (${judgements(ctx, 'verifier', { verifier: slug, together: true })}) as judged
    where overruled is not null and account = ${account} order by ruled_at offset ${count - 1} limit 1`;
  if (row === undefined) throw new Error('fewer rulings than were counted');
  return row.until;
}
