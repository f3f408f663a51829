import { splitOf } from '../domain';
import type { Ctx } from '../platform';
import type { StoredExample, WantedExamples } from '../verdicts';

/** Labelled subjects searched; a larger history adds nothing to a dozen examples. */
const searchedMax = 5_000;
/** Larger subjects are not shown as examples. */
const contentCharsMax = 200_000;

interface Row {
  subject_id: string;
  session_id: string | null;
  verdict_id: string;
  good: boolean;
}

/**
 * Labelled subjects of one verifier for its judge's prompt: up to `limit` good and `limit` bad
 * ones, in an order that new labels do not change. Only subjects of the split `train` are used:
 * those of `test` are held out, and those of `development` tune thresholds (calibration.md 5.10). A
 * whole session belongs to one split. Contested labels are omitted.
 */
export async function findLabelledExamples(
  ctx: Pick<Ctx, 'sql'>,
  wanted: WantedExamples,
): Promise<readonly StoredExample[]> {
  const { projectId, verifier, subjectKind, limit } = wanted;
  const rows = await ctx.sql<Row[]>`
    select subject_id, session_id, verdict_id, good from (
      select distinct on (j.subject_id) j.subject_id, s.session_id, j.verdict_id, j.good
      from judgements j join subjects s on s.project_id = j.project_id and s.kind = ${subjectKind} and s.id = j.subject_id
      where j.project_id = ${projectId} and j.origin = 'verifier' and j.slug = ${verifier} and j.good is not null and not j.contested
        and length(s.content) <= ${contentCharsMax}
      order by j.subject_id, j.at desc, j.id desc
    ) as each order by md5(subject_id), subject_id limit ${searchedMax}`;
  const shown = rows.filter(
    ({ subject_id: id, session_id: session }) => splitOf(session ?? id) === 'train',
  );
  const chosen = [true, false].flatMap((good) =>
    shown.filter((row) => row.good === good).slice(0, limit),
  );
  if (chosen.length === 0) return [];
  const texts = await readTexts(ctx, wanted, chosen);
  return chosen.flatMap(({ subject_id: subjectId, session_id: sessionId, good }) => {
    const text = texts.get(subjectId);
    return text === undefined ? [] : [{ subjectId, sessionId, good, ...text }];
  });
}

/** The content of each subject, and the reason of the latest ruling that agrees with its label. */
async function readTexts(
  { sql }: Pick<Ctx, 'sql'>,
  { projectId, subjectKind }: WantedExamples,
  chosen: readonly Row[],
): Promise<ReadonlyMap<string, Pick<StoredExample, 'content' | 'reason'>>> {
  const keys = chosen.map(({ subject_id: s, verdict_id: v, good: g }) => ({ s, v, g }));
  const rows = await sql<{ id: string; content: string; reason: string | null }[]>`
    select s.id, s.content, l.note as reason
    from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb) as c(s text, v text, g boolean)
    join subjects s on s.project_id = ${projectId} and s.kind = ${subjectKind} and s.id = c.s
    left join lateral (
      select note from labels l
      where l.project_id = ${projectId} and l.subject_id = c.s and l.verdict_id = c.v and l.kind = 'override' and l.success = c.g
        and coalesce(l.note, '') <> ''
        and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
      order by l.created_at desc, l.id desc limit 1
    ) as l on true`;
  return new Map(rows.map(({ id, content, reason }) => [id, { content, reason }]));
}
