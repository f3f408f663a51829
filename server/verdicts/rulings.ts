import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';

/** What a person said of one verdict: a ruling, a grade, what is done about it, or several of these. Appended and never edited; an undo is a row of its own. */
export interface Ruling {
  readonly id: string;
  readonly verdictId: string;
  /** The override, in the kind's own words; null where nobody overruled. */
  readonly verdict: string | null;
  readonly reason: string | null;
  /** 1 to 5 (VS-48). */
  readonly grade: number | null;
  /** `retry`, `escalate` or `accept_with_warning` (VS-28); null where nothing was said of it. */
  readonly action: string | null;
  readonly rater: string;
  readonly createdAt: Date;
  readonly undone: { readonly by: string; readonly at: Date } | null;
}

/** Rulings read of one verdict at the most, the latest. */
const rulingsMax = 200;

interface RulingRow {
  id: string;
  verdict_id: string;
  verdict: string | null;
  note: string | null;
  grade: number | null;
  action: string | null;
  rater: string;
  created_at: string;
  undone_by: string | null;
  undone_at: string | null;
}

/** Whether a row of `verdicts` has rulings: most have none, and then nothing more is asked. */
export function isLabelled(sql: ProjectCtx['sql']): Fragment {
  return sql`exists (
    select from labels l where l.project_id = verdicts.project_id and l.verdict_id = verdicts.id and l.kind in ('override', 'grade', 'action'))`;
}

/** What people said of verdicts, by verdict, oldest first. */
export async function loadRulings(ctx: ProjectCtx, verdictIds: readonly string[]): Promise<Map<string, Ruling[]>> {
  const rulings = new Map<string, Ruling[]>();
  if (verdictIds.length === 0) return rulings;
  const rows = await ctx.sql<RulingRow[]>`
    select l.*, u.created_by as undone_by, u.created_at as undone_at
    from jsonb_array_elements_text(${JSON.stringify([...new Set(verdictIds)])}::text::jsonb) as v(id)
    cross join lateral (
      select id, verdict_id, verdict, note, grade, value as action, coalesce(rater, created_by) as rater, created_at from labels
      where project_id = ${ctx.projectId} and verdict_id = v.id and kind in ('override', 'grade', 'action')
      order by created_at desc, id desc limit ${rulingsMax}
    ) l
    left join labels u on u.project_id = ${ctx.projectId} and u.undoes = l.id
    order by l.created_at, l.id`;
  for (const row of rows) {
    const ofVerdict = rulings.get(row.verdict_id) ?? [];
    ofVerdict.push(asRuling(row));
    rulings.set(row.verdict_id, ofVerdict);
  }
  return rulings;
}

function asRuling(row: RulingRow): Ruling {
  return {
    id: row.id,
    verdictId: row.verdict_id,
    verdict: row.verdict,
    reason: row.note,
    grade: row.grade,
    action: row.action,
    rater: row.rater,
    createdAt: new Date(row.created_at),
    undone: row.undone_by === null || row.undone_at === null ? null : { by: row.undone_by, at: new Date(row.undone_at) },
  };
}

/** The latest override that was not taken back: what counts beside the machine's verdict (house.md 1). */
export function effectiveRuling(rulings: readonly Ruling[]): Ruling | null {
  return rulings.findLast((each) => each.verdict !== null && each.undone === null) ?? null;
}

/** What is done about the work: the latest that was said and not taken back; null where nobody said, and the verifier's own counts. */
export function effectiveStep(rulings: readonly Ruling[]): string | null {
  return rulings.findLast((each) => each.action !== null && each.undone === null)?.action ?? null;
}
