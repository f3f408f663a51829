import type { ProjectCtx } from '../../access';
import { findLimitedAccounts, groundTruth } from '../../measures';

/** The label that an item's reference comes from. */
export interface HumanReference {
  /** JSON text: `{"verdict", "verifier", "success", "score", "reason"}`. */
  readonly reference: string;
  /** How the turn was selected for the label, and its probability; null if unknown. */
  readonly selection: string | null;
  readonly probability: number | null;
}

interface LabelRow {
  subject_id: string;
  verifier_slug: string | null;
  verdict: string | null;
  value: string | null;
  success: boolean | null;
  score: number | null;
  note: string | null;
  selection: string | null;
  probability: number | null;
}

/**
 * For each turn its newest label that counts: the ruling on one of its verdicts by the rule of the measures (`groundTruth`),
 * a ruling given before the verdict, an outcome or an imported label of the whole turn. Rulings of
 * `verifier` come before others.
 */
async function selectLabels(
  ctx: ProjectCtx,
  turnIds: readonly string[],
  verifier: string | undefined,
): Promise<LabelRow[]> {
  const { sql, projectId } = ctx;
  const outweighed = (await findLimitedAccounts(ctx)).map(({ slug, account, until }) => ({
    slug,
    account,
    until,
  }));
  const wanted = sql`
    select distinct subject_id from jsonb_array_elements_text(${JSON.stringify(turnIds)}::text::jsonb) as w(subject_id)`;
  return sql<LabelRow[]>`
    with ${groundTruth(ctx, wanted, outweighed)}, counting as (
      select id from ruled
      union select id from current_labels where kind = 'override' and verdict_id is null
      union select id from current_labels where kind in ('outcome', 'import') and dimension is null
    )
    select distinct on (l.subject_id) l.subject_id, l.verifier_slug, l.verdict, l.value, l.success, l.score, l.note,
      l.selection, l.probability
    from counting c join labels l on l.project_id = ${projectId} and l.id = c.id
    where coalesce(l.verdict, l.value, l.success::text, l.score::text) is not null
    order by l.subject_id, (l.kind = 'override' and l.verifier_slug = ${verifier ?? ''}) desc, l.created_at desc, l.id desc`;
}

/** References by people, by turn; turns without a label are omitted. */
export async function findHumanReferences(
  ctx: ProjectCtx,
  turnIds: readonly string[],
  verifier: string | undefined,
): Promise<ReadonlyMap<string, HumanReference>> {
  if (turnIds.length === 0) return new Map();
  const rows = await selectLabels(ctx, turnIds, verifier);
  return new Map(
    rows.map((row) => [
      row.subject_id,
      {
        reference: JSON.stringify({
          verdict: row.verdict ?? row.value,
          verifier: row.verifier_slug,
          success: row.success,
          score: row.score,
          reason: row.note,
        }),
        selection: row.selection,
        probability: row.probability,
      },
    ]),
  );
}
