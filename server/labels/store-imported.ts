import type { ProjectCtx } from '../access';
import { liveChannel, storableJson, writeLiveNotice } from '../domain';
import type { LabelOf } from '../ingest';
import { derivedId, sha256 } from '../platform';
import { refreshesOf } from '../queue';

/**
 * Stores imported human labels. Their ids are derived from their content, so repeated labels are
 * not stored again. Returns the number of new labels.
 */
export async function storeImportedLabels(
  ctx: ProjectCtx,
  by: string,
  labels: readonly LabelOf[],
): Promise<number> {
  if (labels.length === 0) return 0;
  const rows = labels.map(({ subjectId, label }) => {
    const { success, score, value, points, dimension } = label;
    // A label without these members keeps its id from earlier releases.
    const onScale = points === null && dimension === null ? [] : [points, dimension];
    const hash = sha256(JSON.stringify([success, score, value, ...onScale]));
    // The id uses the rater's name as in the file, like earlier releases, so that importing the
    // same file again adds nothing.
    const id = derivedId('lbl', ctx.projectId, subjectId, label.rater ?? '', hash);
    return { i: id, s: subjectId, h: hash, ...label, rater: importedRater(label.rater) };
  });
  const [stored] = await ctx.sql<{ count: number }[]>`
    with stored as (
      insert into labels (project_id, id, kind, subject_id, success, score, value, points,
        dimension, rater, source, selection, content_hash, created_by)
      select distinct on (i) ${ctx.projectId}, i, 'import', s, success, score, value, points,
        dimension, rater, 'import', 'imported', h, ${by}
      from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as r(
        i text, s text, h text, success boolean, score double precision, value text,
        points double precision, dimension text, rater text) order by i
      on conflict do nothing returning project_id, subject_id
    ), due as (${refreshesOf(ctx, ctx.sql`select project_id, subject_id from stored`)})
    select count(*)::int as count from stored`;
  const count = stored?.count ?? 0;
  // Open pages reload the rates (server/verdicts/live.ts).
  if (count > 0) {
    const notice = writeLiveNotice({ projectId: ctx.projectId, settled: 0, labelled: count });
    await ctx.sql`select pg_notify(${liveChannel}, ${notice})`;
  }
  return count;
}

/**
 * A name in a file does not prove who the rater is, so the prefix keeps it distinct from the names
 * of people and keys (S-123).
 */
const importedRater = (name: string | null): string | null =>
  name === null ? null : `imported:${name}`;
