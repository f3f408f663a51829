import type { ProjectCtx } from '../../access';
import { leastForRate, wilson } from '../../domain';
import { mcNemar } from '../stats/compare';

/** What two runs of one anchor set, one after the other, differ in: items that both decided. */
export interface RunsBeside {
  readonly both: number;
  /** Right in the later run alone, and in the earlier one alone. */
  readonly better: number;
  readonly worse: number;
}

/** So many of the frozen items may flip, by the lower bound of their share: a judge that moves more is another one, however often it is right. */
const flipLimit = 0.1;

/**
 * Whether a judge changed between two runs (calibration.md 5.9): worse by McNemar's mid-p under 0.05, or, since agreement may stay what it is while many
 * verdicts move, flips of more than a tenth of 20 items or more, by the lower bound of Wilson's interval. Pure.
 */
export function isDrift({ both, better, worse }: RunsBeside): boolean {
  const { midP } = mcNemar(better, worse);
  if (worse > better && midP !== null && midP < 0.05) return true;
  return both >= leastForRate && wilson(better + worse, both).low > flipLimit;
}

/** The latest drift that was found of a verifier. */
export interface FoundDrift extends RunsBeside {
  readonly slug: string;
  readonly set: string;
  /** When the later run began: what was judged before is not of the judge that it has now. */
  readonly at: Date;
}

/** Pairs of runs of one verifier that are looked through, the newest. */
const pairsMost = 200;

/** Of each verifier the latest, in sets that are in use. */
export async function readDrifts({ sql, projectId }: ProjectCtx): Promise<FoundDrift[]> {
  const rows = await sql<{ slug: string; name: string; started_at: string; both: number; better: number; worse: number }[]>`
    with runs as (
      select s.verifier_slug as slug, s.id as set_id, s.name, r.id, r.started_at,
        lag(r.id) over (partition by s.id order by r.started_at, r.id) as before_id
      from anchor_sets s join anchor_runs r on r.project_id = s.project_id and r.set_id = s.id
      where s.project_id = ${projectId} and s.retired_at is null and r.ended_at is not null
    ), pairs as (
      select *, row_number() over (partition by slug order by started_at desc, id desc) as place from runs where before_id is not null
    )
    select p.slug, p.name, p.started_at, c.both, c.better, c.worse from pairs p cross join lateral (
      select count(*)::int as both,
        (count(*) filter (where (a.outcome = 'passed') = i.good and (b.outcome = 'passed') <> i.good))::int as better,
        (count(*) filter (where (a.outcome = 'passed') <> i.good and (b.outcome = 'passed') = i.good))::int as worse
      from anchor_items i
      join anchor_results b on b.project_id = ${projectId} and b.run_id = p.before_id and b.ordinal = i.ordinal and b.outcome in ('passed', 'failed')
      join anchor_results a on a.project_id = ${projectId} and a.run_id = p.id and a.ordinal = i.ordinal and a.outcome in ('passed', 'failed')
      where i.project_id = ${projectId} and i.set_id = p.set_id
    ) as c
    where p.place <= ${pairsMost} and c.better + c.worse > 0 order by p.started_at desc, p.id desc`;
  const found = new Map<string, FoundDrift>();
  for (const { slug, name: set, started_at: at, both, better, worse } of rows) {
    if (!found.has(slug) && isDrift({ both, better, worse })) found.set(slug, { slug, set, at: new Date(at), both, better, worse });
  }
  return [...found.values()];
}
