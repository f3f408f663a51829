import type { ProjectCtx } from '../../access';
import { findVerifier, storedKindOf } from '../../catalog';
import { readVerifierName } from '../../domain';
import { notFound, sha256 } from '../../platform';
import { findLimitedAccounts } from '../../measures';

/** A labelled subject in its frozen form. */
export interface AnchorItem {
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly revision: number;
  readonly contentHash: string;
  readonly excerpt: string;
  readonly good: boolean;
  readonly policy: number;
}

export interface DrawnAnchors {
  readonly verifier: string;
  readonly labelled: { readonly good: number; readonly bad: number };
  readonly items: readonly AnchorItem[];
}

interface Row {
  subject_kind: string;
  subject_id: string;
  revision: number;
  content_hash: string;
  excerpt: string;
  good: boolean;
  policy: number;
}

/**
 * Draws labelled subjects that a verifier judged, in an order determined by the seed: half of them
 * bad and half good, or more of one kind if there are too few of the other. Uses the same truth as
 * the measures, without rulings that outweigh all others (S-35). Excludes subjects that cannot be
 * judged again: replaced content, work that was never judged, and records of the gateway.
 * @throws AssayError not_found (no verifier of that name that could judge again)
 */
export async function drawAnchors(
  ctx: ProjectCtx,
  input: { readonly verifier: string; readonly items: number; readonly seed: number },
): Promise<DrawnAnchors> {
  const { sql, projectId } = ctx;
  const { slug } = readVerifierName(input.verifier);
  const verifier = await findVerifier(ctx, projectId, slug);
  if (verifier === null) throw notFound('verifier');
  const outweighing = (await findLimitedAccounts(ctx, slug)).map(({ account, until }) => ({
    account,
    until,
  }));
  const labelled = sql`
    select distinct on (v.subject_kind, j.subject_id) v.subject_kind, j.subject_id, v.revision, j.excerpt, j.good, j.policy
    from judgements j join verdicts v on v.project_id = j.project_id and v.id = j.verdict_id
    where j.project_id = ${projectId} and j.origin = 'verifier' and j.slug = ${slug} and j.good is not null and not j.contested
      and v.subject_kind = ${storedKindOf(verifier)} and v.outcome <> 'skipped' and v.experiment_id is null
      and not exists (
        select from jsonb_to_recordset(${JSON.stringify(outweighing)}::text::jsonb) as o(account text, until timestamptz)
        where j.truth_of = 'override' and o.account = j.account and j.ruled_at > o.until)
    order by v.subject_kind, j.subject_id, j.at desc, j.id desc`;
  const rows = await sql<(Row & { of_kind: number })[]>`
    with labelled as (${labelled}), unchanged as (
      select l.*, coalesce(t.content_hash, s.content_hash) as content_hash from labelled l
      left join turns t on l.subject_kind = 'turn' and t.project_id = ${projectId} and t.id = l.subject_id and t.revision = l.revision
        and not t.superseded and t.origin <> 'experiment'
      left join subjects s on l.subject_kind <> 'turn' and s.project_id = ${projectId} and s.kind = l.subject_kind and s.id = l.subject_id
        and s.revision = l.revision
      where t.id is not null or s.id is not null
    ), drawn as (
      select *, row_number() over (partition by good order by md5(${String(input.seed)} || ' ' || subject_id), subject_kind, subject_id) as place,
        (count(*) over (partition by good))::int as of_kind
      from unchanged
    )
    select subject_kind, subject_id, revision, content_hash, excerpt, good, policy, of_kind from drawn
    where place <= ${input.items} order by place, good`;
  const of = (good: boolean) => rows.filter((row) => row.good === good);
  const [good, bad] = [of(true), of(false)];
  const { goodItems, badItems } = halves(good.length, bad.length, input.items);
  const taken = new Set([...good.slice(0, goodItems), ...bad.slice(0, badItems)]);
  return {
    verifier: slug,
    labelled: { good: good[0]?.of_kind ?? 0, bad: bad[0]?.of_kind ?? 0 },
    items: rows.filter((row) => taken.has(row)).map(asItem),
  };
}

/** The number of good and of bad subjects to draw. Pure. */
export function halves(
  good: number,
  bad: number,
  items: number,
): { readonly goodItems: number; readonly badItems: number } {
  const badItems = Math.min(bad, Math.max(Math.ceil(items / 2), items - good));
  return { goodItems: Math.min(good, items - badItems), badItems };
}

/**
 * The identity of a set: SHA-256 (hex) of its subjects, contents and truths, regardless of order.
 */
export function fingerprintOf(items: readonly AnchorItem[]): string {
  const lines = items.map(({ subjectKind, subjectId, contentHash, good }) =>
    JSON.stringify([subjectKind, subjectId, contentHash, good]),
  );
  return sha256(lines.sort().join('\n'));
}

function asItem(row: Row): AnchorItem {
  const { revision, excerpt, good, policy } = row;
  return {
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    revision,
    contentHash: row.content_hash,
    excerpt,
    good,
    policy,
  };
}
