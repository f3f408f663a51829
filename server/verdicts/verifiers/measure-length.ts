import type { ProjectCtx } from '../../access';
import { rankCorrelation, type RankCorrelation } from '../../domain';

/**
 * The correlation of judges' scores with the length of the judged text (S-28), which shows a judge
 * that rewards length instead of content.
 */
export interface LengthEffect extends RankCorrelation {
  readonly days: number;
}

/** Limits on the number of verdicts and the size of a subject: a page must not parse 20 MiB. */
const verdictsMax = 300;
const bytesMax = 65_536;

/**
 * Covers verdicts that a judge scored; null for a kind that does not judge a single output. Lengths
 * are in characters.
 */
export async function measureLength(
  ctx: ProjectCtx,
  slug: string,
  days: number,
): Promise<LengthEffect | null> {
  const rows = await ctx.sql<{ length: number | null; score: number }[]>`
    select char_length(s.content::jsonb -> 'subject' ->> 'task_output') as length, v.score
    from (
      select subject_kind, subject_id, score from verdicts
      where project_id = ${ctx.projectId} and verifier_slug = ${slug} and subject_kind <> 'turn' and score is not null and judge_calls > 0 and not superseded and experiment_id is null
        and settled_at >= now() - ${days} * interval '1 day'
      order by settled_at desc, id desc limit ${verdictsMax}
    ) v
    join subjects s on s.project_id = ${ctx.projectId} and s.kind = v.subject_kind and s.id = v.subject_id
    where octet_length(s.content) <= ${bytesMax}`;
  const pairs = rows.flatMap(({ length, score }): [number, number][] =>
    length === null ? [] : [[length, score]],
  );
  return pairs.length === 0 ? null : { ...rankCorrelation(pairs), days };
}
