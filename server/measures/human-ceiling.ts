import type { ProjectCtx } from '../access';
import type { Matrix } from '../domain';
import { cohenKappa, jackknife, type Kappa, krippendorffAlpha } from '../stats';
import type { Estimate, HumanCeiling } from './report';
import { type ReportScope, reportRows } from './report-rows';

/**
 * Labels by several people on one item, given without seeing other labels or the verdict, and the
 * verifier's result.
 */
export interface RatedItem {
  /** Null if the verdict is undecided. */
  readonly machine: 'failed' | 'passed' | null;
  /** Whether the item is good, by rater. */
  readonly votes: ReadonlyMap<string, boolean>;
}

/** Number of items to read, newest first; more would hardly narrow an interval. */
const itemsMax = 2000;
/** Maximum number of listed pairs of raters, those with the most common items first. */
const pairsMax = 20;
/**
 * Maximum number of raters to pair, those with the most items: the number of pairs is quadratic.
 */
const pairedMax = 40;
/** Minimum number of common items of a pair of raters. */
const minInCommon = 2;

interface VoteRow {
  item: string;
  machine: 'failed' | 'passed' | null;
  rater: string;
  good: boolean;
}

/**
 * The agreement between people (calibration.md 5.2) on items that at least two of them labelled:
 * blind rulings, and labels of named raters from callers and imports. Excludes rulings that are not
 * independent: those given with the verdict visible, repeated rulings, and rulings by a rater who
 * had already ruled or abstained on that verdict and had therefore seen it and the other
 * statements. Uses each rater's latest current label of an item.
 */
export async function readHumanCeiling(ctx: ProjectCtx, scope: ReportScope): Promise<HumanCeiling> {
  const { sql, projectId } = ctx;
  const rows = await sql<VoteRow[]>`
    with judged as materialized (select id, at, verdict_id, subject_id, machine from (${reportRows(ctx, scope)}) as reported),
    current_labels as (
      select l.*, coalesce(l.rater, l.created_by) as voter from labels l
      where project_id = ${projectId} and success is not null and dimension is null
        and ((kind = 'override' and blind and selection is distinct from 'reused') or (kind in ('outcome', 'import') and rater is not null))
        and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
        and not (kind = 'override' and exists (
          select from labels e where e.project_id = ${projectId} and e.verdict_id = l.verdict_id and e.kind in ('override', 'abstention')
            and e.created_by = l.created_by and coalesce(e.rater, e.created_by) = coalesce(l.rater, l.created_by)
            and (e.created_at, e.id) < (l.created_at, l.id)
        ))
    ), votes as (
      select distinct on (item, voter) item, at, machine, voter, success
      from (
        select j.id as item, j.at, j.machine, s.voter, s.success, s.created_at, s.id from current_labels s
        join judged j on j.verdict_id = s.verdict_id where s.kind = 'override'
        union all
        select j.id, j.at, j.machine, s.voter, s.success, s.created_at, s.id from current_labels s
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
  return ceilingOf([...items.values()]);
}

/**
 * Pure. Computes the intervals of alpha and of the verifier's mean kappa by the jackknife over
 * items, which keeps the common items of raters together. With many raters, thousands of resamples
 * would block the process.
 */
export function ceilingOf(items: readonly RatedItem[]): HumanCeiling {
  const decided = items.filter(({ machine }) => machine !== null);
  const raters = new Map<string, number>();
  for (const { votes } of items)
    for (const rater of votes.keys()) raters.set(rater, (raters.get(rater) ?? 0) + 1);
  const max = [...raters]
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, pairedMax);
  return {
    items: items.length,
    raters: raters.size,
    alpha: jackknifed(
      items.map(({ votes }) => tallyOf(votes)),
      alphaOf,
    ),
    pairs: pairsOf(items, max.map(([rater]) => rater).sort()),
    machine: jackknifed(numbered(decided, raters), (some) => meanKappa(some, raters.size)),
  };
}

function jackknifed<T>(
  items: readonly T[],
  statistic: (sample: readonly T[]) => number | null,
): Estimate {
  const n = items.length;
  const value = statistic(items);
  const found = value === null ? null : jackknife(items, statistic, { min: -1, max: 1 });
  return { value, low: found?.low ?? null, high: found?.high ?? null, n };
}

/** Counts good and bad ratings: alpha does not depend on the individual raters. */
const tallyOf = (votes: RatedItem['votes']): readonly [number, number] => {
  let good = 0;
  for (const vote of votes.values()) if (vote) good++;
  return [good, votes.size];
};

function alphaOf(tallies: readonly (readonly [number, number])[]): number | null {
  const alike = new Map<string, { said: number[]; times: number }>();
  for (const [good, of] of tallies) {
    const key = `${good} of ${of}`;
    const known = alike.get(key);
    if (known === undefined)
      alike.set(key, {
        said: Array.from({ length: of }, (_, at) => (at < good ? 1 : 0)),
        times: 1,
      });
    else known.times++;
  }
  const units = [...alike.values()];
  return krippendorffAlpha(
    units.map(({ said: vote }) => vote),
    'nominal',
    units.map(({ times }) => times),
  );
}

type Tally = { -readonly [cell in keyof Matrix]: number };

/** Adds one item that a rater called good or bad, with the other label as its truth. */
function count(tally: Tally, one: boolean, other: boolean): void {
  tally[other ? (one ? 'passed' : 'rejected') : one ? 'missed' : 'caught']++;
}

const nothing = (): Tally => ({ caught: 0, missed: 0, rejected: 0, passed: 0 });

/** Builds pairs only from the voters of each item, because most raters have no common items. */
function pairsOf(
  items: readonly RatedItem[],
  raters: readonly string[],
): { one: string; other: string; kappa: Estimate }[] {
  const tallies = new Map<number, Tally>();
  for (const { votes } of items) {
    const vote = raters.flatMap((rater, at) => {
      const good = votes.get(rater);
      return good === undefined ? [] : [{ at, good }];
    });
    for (const [place, one] of vote.entries()) {
      for (const other of vote.slice(place + 1)) {
        const key = one.at * raters.length + other.at;
        const tally = tallies.get(key) ?? nothing();
        count(tally, one.good, other.good);
        tallies.set(key, tally);
      }
    }
  }
  return [...tallies]
    .map(([key, tally]) => ({
      one: raters[Math.floor(key / raters.length)] ?? '',
      other: raters[key % raters.length] ?? '',
      kappa: estimateOf(cohenKappa(tally)),
    }))
    .filter(({ kappa }) => kappa.n >= minInCommon)
    .toSorted(
      (a, b) =>
        b.kappa.n - a.kappa.n || (a.one < b.one || (a.one === b.one && a.other < b.other) ? -1 : 1),
    )
    .slice(0, pairsMax);
}

const estimateOf = ({ value, low, high, n }: Kappa): Estimate => ({ value, low, high, n });

/** The verdict and the label of each rater, by rater number, to make repeated means cheap. */
interface NumberedItem {
  readonly passed: boolean;
  readonly raters: Int32Array;
  /** 1: good. */
  readonly said: Uint8Array;
}

function numbered(
  items: readonly RatedItem[],
  raters: ReadonlyMap<string, unknown>,
): NumberedItem[] {
  const numbers = new Map([...raters.keys()].map((rater, at) => [rater, at]));
  return items.map(({ machine, votes }) => ({
    passed: machine === 'passed',
    raters: Int32Array.from(votes.keys(), (rater) => numbers.get(rater) ?? 0),
    said: Uint8Array.from(votes.values(), Number),
  }));
}

/** The mean over raters whose labels have a kappa; null if there are none. */
function meanKappa(items: readonly NumberedItem[], raters: number): number | null {
  const cells = new Int32Array(4 * raters);
  for (const { passed, raters: who, said: vote } of items) {
    for (const [at, rater] of who.entries()) {
      const cell = 4 * rater + 2 * Number(passed) + (vote[at] ?? 0);
      cells[cell] = (cells[cell] ?? 0) + 1;
    }
  }
  const kappas = Array.from({ length: raters }, (_, rater) => {
    const [caught = 0, rejected = 0, missed = 0, passed = 0] = cells.subarray(
      4 * rater,
      4 * rater + 4,
    );
    return cohenKappa({ caught, missed, rejected, passed }).value;
  }).filter((kappa) => kappa !== null);
  return kappas.length === 0 ? null : kappas.reduce((sum, kappa) => sum + kappa, 0) / kappas.length;
}
