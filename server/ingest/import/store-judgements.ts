import type { ProjectCtx } from '../../access';
import { storableJson } from '../../domain';
import { derivedId, sha256 } from '../../platform';
import { refreshesOf } from '../../queue';
import type { ImportedLabel, ImportedScore } from './label';

export interface LabelOf {
  readonly subjectId: string;
  readonly label: ImportedLabel;
}

export interface ScoreOf {
  readonly subjectId: string;
  readonly turnId: string | null;
  readonly score: ImportedScore;
}

/**
 * Stores people's labels (server/labels) and skips those already stored. Returns the number of new
 * ones.
 */
export type StoreLabels = (
  ctx: ProjectCtx,
  by: string,
  labels: readonly LabelOf[],
) => Promise<number>;

/**
 * Stores judges' measurements; their ids are derived from their content, so repeats are skipped.
 * Returns the number of new ones.
 */
export async function storeScores(ctx: ProjectCtx, scores: readonly ScoreOf[]): Promise<number> {
  if (scores.length === 0) return 0;
  const rows = scores.map(({ subjectId, turnId, score }) => {
    const { value, label, explanation, dimension, presentation, category } = score;
    const hash = sha256(
      JSON.stringify([value, label, explanation, ...beyond([dimension, presentation, category])]),
    );
    return {
      i: derivedId('fsc', ctx.projectId, subjectId, score.model, hash),
      s: subjectId,
      t: turnId,
      ...score,
    };
  });
  const [stored] = await ctx.sql<{ count: number }[]>`
    with stored as (
      insert into foreign_scores (project_id, id, subject_id, turn_id, source, name, value, label, explanation, model, scale, dimension, category,
        presentation, unread)
      select distinct on (i) ${ctx.projectId}, i, s, t, 'import', 'judge', value, label, explanation, model, scale, dimension, category,
        presentation, unread
      from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as r(
        i text, s text, t text, value double precision, label text, explanation text, model text, scale text, dimension text, category text,
        presentation text, unread boolean) order by i
      on conflict do nothing returning project_id, subject_id
    ), due as (${refreshesOf(ctx, ctx.sql`select project_id, subject_id from stored`)})
    select count(*)::int as count from stored`;
  return stored?.count ?? 0;
}

/**
 * Parts of the id for members beyond the plain form. Empty for rows without them: their ids equal
 * those of earlier imports.
 */
const beyond = (
  values: readonly (string | number | null)[],
): readonly (string | number | null)[] => (values.every((value) => value === null) ? [] : values);
