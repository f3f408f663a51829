import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import type { Outcome } from '../../domain';

/**
 * The state of a verdict: decided or still pending. Quarantined work is pending too, and waits for
 * a person.
 */
export type MarkState = Outcome | 'pending' | 'quarantined';

/** The latest result of one verifier about one turn. */
export interface TurnMark {
  /** The verdict's id, which is known before the verdict exists. */
  readonly verdictId: string;
  /** Includes the version once there is a verdict: `integrity@2`. */
  readonly verifier: string;
  readonly state: MarkState;
  /** The verifier's own word for the verdict: `unsourced`. */
  readonly verdict: string | null;
  readonly figures: number | null;
  readonly unsourced: number | null;
  /** The revision of the turn it is about. */
  readonly revision: number;
}

/** Counts of marks over several turns. */
export interface MarkCount {
  readonly state: MarkState;
  readonly count: number;
}

interface MarkRow {
  turn: string;
  id: string;
  slug: string;
  version: number | null;
  state: MarkState;
  verdict: string | null;
  figures: number | null;
  unsourced: number | null;
  revision: number;
}

/**
 * For each turn and verifier, the mark of the highest revision. Turns without marks are omitted.
 */
export async function loadMarks(
  ctx: ProjectCtx,
  turnIds: readonly string[],
): Promise<Map<string, TurnMark[]>> {
  if (turnIds.length === 0) return new Map();
  const rows = await ctx.sql<MarkRow[]>`
    with wanted as materialized (select distinct i from json_array_elements_text(${JSON.stringify(turnIds)}::text::json) as k(i))
    select v.* from wanted cross join lateral (
      select distinct on (verifier_slug) subject_id as turn, id, verifier_slug as slug, verifier_version as version, outcome as state, verdict,
        case when jsonb_typeof(detail->'figures') = 'array' then jsonb_array_length(detail->'figures') end as figures,
        (detail->>'unsourced')::int as unsourced, revision
      from verdicts where project_id = ${ctx.projectId} and subject_kind = 'turn' and subject_id = wanted.i
      order by verifier_slug, revision desc, verifier_version desc
    ) v
    union all
    select d.subject_id, w.id, w.verifier, null, case when w.state = 'quarantined' then 'quarantined' else 'pending' end, null, null, null,
      w.revision
    from wanted
    join decisions d on d.project_id = ${ctx.projectId} and d.subject_id = wanted.i and d.state = 'run'
    join work w on w.project_id = d.project_id and w.id = d.verdict_id
    order by 1, 3, 9`;
  const latest = new Map<string, Map<string, TurnMark>>();
  for (const row of rows) {
    const ofTurn = latest.get(row.turn) ?? new Map<string, TurnMark>();
    latest.set(row.turn, ofTurn.set(row.slug, asMark(row)));
  }
  return new Map([...latest].map(([turn, marks]) => [turn, [...marks.values()]]));
}

function asMark(row: MarkRow): TurnMark {
  return {
    verdictId: row.id,
    verifier: row.version === null ? row.slug : `${row.slug}@${row.version}`,
    state: row.state,
    verdict: row.verdict,
    figures: row.figures,
    unsourced: row.unsourced,
    revision: row.revision,
  };
}

/**
 * JSON `[{state, count}]` of the verdicts on the current contents of the turns that `turns` selects
 * as `t`; superseded ones are excluded.
 */
export function countMarks({ sql }: ProjectCtx, turns: Fragment): Fragment {
  return sql`(
    select coalesce(json_agg(json_build_object('state', state, 'count', count)), '[]') from (
      select m.state, count(*)::int as count
      from (${turns}) t cross join lateral (
        select * from (
          select distinct on (v.verifier_slug) v.outcome as state from verdicts v
          where v.project_id = t.project_id and v.subject_kind = 'turn' and v.subject_id = t.id and v.revision = t.revision
          order by v.verifier_slug, v.verifier_version desc
        ) as decided
        union all
        select case when w.state = 'quarantined' then 'quarantined' else 'pending' end
        from decisions d join work w on w.project_id = d.project_id and w.id = d.verdict_id
        where d.project_id = t.project_id and d.subject_id = t.id and d.revision = t.revision and d.state = 'run'
      ) m
      where not t.superseded group by 1
    ) as counted
  )`;
}
