import type { ProjectCtx } from '../../access';
import { liveChannel, storableJson, writeLiveNotice } from '../../domain';
import { derivedId, sha256 } from '../../platform';
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

/** Stores people's labels; their ids are derived from what they say, so that the same again is there already. Returns how many are new. */
export async function storeLabels(ctx: ProjectCtx, by: string, labels: readonly LabelOf[]): Promise<number> {
  if (labels.length === 0) return 0;
  const rows = labels.map(({ subjectId, label }) => {
    const hash = sha256(JSON.stringify([label.success, label.score, label.value]));
    return { i: derivedId('lbl', ctx.projectId, subjectId, label.rater ?? '', hash), s: subjectId, h: hash, ...label };
  });
  const stored = await ctx.sql`
    insert into labels (project_id, id, kind, subject_id, success, score, value, rater, source, selection, content_hash, created_by)
    select distinct on (i) ${ctx.projectId}, i, 'import', s, success, score, value, rater, 'import', 'imported', h, ${by}
    from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as r(
      i text, s text, h text, success boolean, score double precision, value text, rater text) order by i
    on conflict do nothing`;
  // Open pages read the rates again (server/verdicts/live.ts).
  if (stored.count > 0) {
    const notice = writeLiveNotice({ projectId: ctx.projectId, settled: 0, labelled: stored.count });
    await ctx.sql`select pg_notify(${liveChannel}, ${notice})`;
  }
  return stored.count;
}

/** Stores judges' measurements likewise. */
export async function storeScores(ctx: ProjectCtx, scores: readonly ScoreOf[]): Promise<number> {
  if (scores.length === 0) return 0;
  const rows = scores.map(({ subjectId, turnId, score }) => ({
    i: derivedId('fsc', ctx.projectId, subjectId, score.model, sha256(JSON.stringify([score.value, score.label, score.explanation]))),
    s: subjectId,
    t: turnId,
    ...score,
  }));
  const stored = await ctx.sql`
    insert into foreign_scores (project_id, id, subject_id, turn_id, source, name, value, label, explanation, model)
    select distinct on (i) ${ctx.projectId}, i, s, t, 'import', 'judge', value, label, explanation, model
    from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as r(
      i text, s text, t text, value double precision, label text, explanation text, model text) order by i
    on conflict do nothing`;
  return stored.count;
}
