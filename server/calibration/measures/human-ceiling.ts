import type { ProjectCtx } from '../../access';
import type { Matrix } from '../../domain';
import { cohenKappa, type Kappa, krippendorffAlpha } from '../stats/agreement';
import { seedOf } from '../stats/random';
import type { Estimate, HumanCeiling } from './report';
import { type Alike, resampledAlike } from './report-resampled';
import { type ReportScope, reportRows } from './report-rows';

/** What several people said of one item, none of them having seen what the others or the verifier said, and what the verifier did. */
export interface RatedItem {
  /** Null where the verifier decided neither. */
  readonly machine: 'failed' | 'passed' | null;
  /** Whether it is good, by rater. */
  readonly votes: ReadonlyMap<string, boolean>;
}

/** Items are read newest first; an interval does not get much narrower beyond these. */
const itemsMax = 2000;
/** Pairs of raters that are told, those with the most items in common. */
const pairsMax = 20;
/** A pair of raters counts from here. */
const leastInCommon = 2;

interface VoteRow {
  item: string;
  machine: 'failed' | 'passed' | null;
  rater: string;
  good: boolean;
}

/**
 * How far people agree with each other (calibration.md 5.2), on items that two or more of them labelled: blind rulings, and labels of named raters that
 * callers and imports sent. Rulings in sight of the verdict are not among them, and no repeats of a ruling: they are no second opinion. Of each
 * rater the latest label of an item that stands.
 */
export async function readHumanCeiling(ctx: ProjectCtx, scope: ReportScope): Promise<HumanCeiling> {
  const { sql, projectId } = ctx;
  const rows = await sql<VoteRow[]>`
    with judged as materialized (select id, at, verdict_id, subject_id, machine from (${reportRows(ctx, scope)}) as reported),
    standing as (
      select l.*, coalesce(l.rater, l.created_by) as voter from labels l
      where project_id = ${projectId} and success is not null and dimension is null
        and ((kind = 'override' and blind and selection is distinct from 'reused') or (kind in ('outcome', 'import') and rater is not null))
        and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
    ), votes as (
      select distinct on (item, voter) item, at, machine, voter, success
      from (
        select j.id as item, j.at, j.machine, s.voter, s.success, s.created_at, s.id from standing s
        join judged j on j.verdict_id = s.verdict_id where s.kind = 'override'
        union all
        select j.id, j.at, j.machine, s.voter, s.success, s.created_at, s.id from standing s
        join judged j on j.subject_id = s.subject_id where s.kind <> 'override'
      ) as given
      order by item, voter, created_at desc, id desc
    ), shared as (
      select item, max(at) as at from votes group by item having count(*) > 1 order by 2 desc, 1 limit ${itemsMax}
    )
    select v.item, v.machine, v.voter as rater, v.success as good from votes v join shared using (item) order by shared.at desc, v.item, v.voter`;
  const items = new Map<string, { machine: VoteRow['machine']; votes: Map<string, boolean> }>();
  for (const { item, machine, rater, good } of rows) {
    const known = items.get(item) ?? { machine, votes: new Map<string, boolean>() };
    known.votes.set(rater, good);
    items.set(item, known);
  }
  return ceilingOf([...items.values()], seedOf(scope.verifier));
}

/** Pure. Intervals of alpha and of the verifier's mean kappa resample items, so that what raters have in common stays together. */
export function ceilingOf(items: readonly RatedItem[], seed: number): HumanCeiling {
  const raters = [...new Set(items.flatMap(({ votes }) => [...votes.keys()]))].sort();
  const alphaOf = (alike: readonly Alike<RatedItem>[]): number | null =>
    krippendorffAlpha(
      alike.map(({ item }) => [...item.votes.values()].map(Number)),
      'nominal',
      alike.map(({ times }) => times),
    );
  const decided = items.filter(({ machine }) => machine !== null);
  return {
    items: items.length,
    raters: raters.length,
    // Which rater is which does not matter to alpha, nor what the verifier did.
    alpha: resampledAlike(items, ({ votes }) => labelsOf([...votes.values()]), alphaOf, seed),
    pairs: pairsOf(items, raters).slice(0, pairsMax),
    machine: resampledAlike(
      decided,
      ({ machine, votes }) => JSON.stringify([machine, raters.map((rater) => votes.get(rater) ?? null)]),
      meanKappa,
      seed,
    ),
  };
}

/** Which labels there are, whoever gave them. */
const labelsOf = (votes: readonly boolean[]): string => `${votes.filter((good) => good).length} of ${votes.length}`;

type Tally = { -readonly [cell in keyof Matrix]: number };

/** Adds items that one called good or bad, and the other, whose word stands for the truth. */
function count(tally: Tally, one: boolean, other: boolean, times = 1): void {
  tally[other ? (one ? 'passed' : 'rejected') : one ? 'missed' : 'caught'] += times;
}

const nothing = (): Tally => ({ caught: 0, missed: 0, rejected: 0, passed: 0 });

function pairsOf(items: readonly RatedItem[], raters: readonly string[]): { one: string; other: string; kappa: Estimate }[] {
  const pairs = raters.flatMap((one, at) => raters.slice(at + 1).map((other) => ({ one, other })));
  return pairs
    .map(({ one, other }) => {
      const tally = nothing();
      for (const { votes } of items) {
        const [a, b] = [votes.get(one), votes.get(other)];
        if (a !== undefined && b !== undefined) count(tally, a, b);
      }
      return { one, other, kappa: estimateOf(cohenKappa(tally)) };
    })
    .filter(({ kappa }) => kappa.n >= leastInCommon)
    .toSorted((a, b) => b.kappa.n - a.kappa.n);
}

const estimateOf = ({ value, low, high, n }: Kappa): Estimate => ({ value, low, high, n });

/** Of the raters whose labels give one; null where none does. */
function meanKappa(alike: readonly Alike<RatedItem>[]): number | null {
  const tallies = new Map<string, Tally>();
  for (const { item, times } of alike) {
    for (const [rater, good] of item.votes) {
      const tally = tallies.get(rater) ?? nothing();
      count(tally, item.machine === 'passed', good, times);
      tallies.set(rater, tally);
    }
  }
  const kappas = [...tallies.values()].flatMap((tally) => cohenKappa(tally).value ?? []);
  return kappas.length === 0 ? null : kappas.reduce((sum, kappa) => sum + kappa, 0) / kappas.length;
}
