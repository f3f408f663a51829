import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { type Matrix, type Split, splitOf } from '../../domain';
import type { ScopedValue } from '../../thresholds';
import { type AnyKind, decidingKey, type Rederive } from '../../verifiers';
import {
  addToCluster,
  type ClusterMatrix,
  findLimitedAccounts,
  labelledVerdictRows,
  type ItemWeights,
  weightsOfClusters,
} from '../../measures';

/** The verdicts and thresholds of a simulation. */
export interface SimulationInput {
  /** Of the verifier. */
  readonly kind: AnyKind;
  /** A verifier's slug, and one of its keys. */
  readonly verifier: string;
  readonly key: string;
  /** Null means the whole project, or the whole mission. */
  readonly missionId: string | null;
  readonly taskId: string | null;
  readonly from: Date | undefined;
  /** Current values of all scopes. */
  readonly stored: readonly ScopedValue[];
}

/**
 * The scope that determines the thresholds of some verdicts. Verdicts with the same thresholds
 * share one object.
 */
export interface ThresholdOrigin {
  readonly missionId: string | null;
  readonly taskId: string | null;
  /** The threshold passed in the call, and its key. */
  readonly own: { readonly key: string; readonly value: number } | null;
}

/** One labelled verdict. */
export interface Item {
  readonly id: string;
  /** Settlement time in microseconds since 1970. */
  readonly atMicros: number;
}

/**
 * Labelled verdicts with the same basis, thresholds and truth, which are therefore
 * indistinguishable.
 */
export interface HistoryGroup {
  readonly decide: Rederive;
  readonly origin: ThresholdOrigin;
  readonly good: boolean;
  /** Newest first. */
  readonly items: readonly Item[];
  /** Counts by split of the labels (calibration.md 5.10). */
  readonly parts: Readonly<Record<Split, number>>;
}

export interface History {
  readonly groups: readonly HistoryGroup[];
  /** Labelled verdicts whose decision cannot be repeated. */
  readonly unknown: number;
  /** All labelled verdicts as originally decided, which every other measure counts. */
  readonly recorded: Matrix;
  /**
   * The weights of their labels as originally decided. Candidates use the same weights, because the
   * correlation within a session hardly depends on a threshold.
   */
  readonly weights: ItemWeights;
  /** The scores of the labelled verdicts in `groups` that have one, and their labels. */
  readonly scores: readonly LabelledScore[];
}

/** A score on the verifier's own scale, and whether the work was good. */
export interface LabelledScore {
  readonly score: number;
  readonly good: boolean;
}

/** The newest verdicts of a scope, labelled or not, in the same form. */
export interface Recent {
  readonly groups: readonly {
    readonly decide: Rederive;
    readonly origin: ThresholdOrigin;
    readonly count: number;
  }[];
}

interface GroupRow {
  basis: string | null;
  mission_id: string | null;
  task_id: string | null;
  own: number | null;
}

/** Maximum number of verdicts, labelled or not, searched for flips. */
const recentMax = 20_000;

/**
 * Reads the labelled verdicts of the measures: a model's verdicts on its own work are a separate
 * series (X-2), and rulings of an account that outweighs others count as in the measures (S-35).
 * PostgreSQL groups them, first by a hash because sorting by JSON is slow: 100,000 verdicts reduce
 * to a few thousand groups, each decided once per value.
 */
export async function readLabelledHistory(
  ctx: ProjectCtx,
  trial: SimulationInput,
): Promise<History> {
  const { sql, projectId } = ctx;
  const outweighing = await findLimitedAccounts(ctx, trial.verifier);
  const labelled = labelledVerdictRows(ctx, 'verifier', {
    verifier: trial.verifier,
    from: trial.from,
    outweighing,
  });
  const rows = await sql<(GroupRow & { good: boolean; items: string })[]>`
    select basis::text, mission_id, task_id, own, good, json_agg(json_build_array(id, at_micros, part_of, machine, score))::text as items
    from (
      select v.basis, ${originColumns(ctx, trial)}, j.good, j.id, j.machine, v.score, (extract(epoch from j.at) * 1000000)::bigint as at_micros,
        coalesce(j.session_id, j.subject_id) as part_of
      from (${labelled}) as j join verdicts v on v.project_id = ${projectId} and v.id = j.id
      where j.good is not null and v.experiment_id is null ${inScope(ctx, trial)}
    ) as tried group by jsonb_hash_extended(basis, 0), basis, mission_id, task_id, own, good`;
  const readGroup = createReader(trial.kind);
  const groups: HistoryGroup[] = [];
  const recorded = { caught: 0, missed: 0, rejected: 0, passed: 0 };
  const clusters = new Map<string, ClusterMatrix>();
  const scores: LabelledScore[] = [];
  let unknown = 0;
  for (const row of rows) {
    const read = readGroup(row);
    const found = JSON.parse(row.items) as [
      id: string,
      atMicros: number,
      partOf: string,
      machine: string | null,
      score: number | null,
    ][];
    for (const [, , partOf, machine] of found) {
      if (machine === null) continue;
      const isFlagged = machine === 'failed';
      const cell = row.good ? (isFlagged ? 'rejected' : 'passed') : isFlagged ? 'caught' : 'missed';
      recorded[cell]++;
      addToCluster(clusters, partOf, cell);
    }
    if (read === null) {
      unknown += found.length;
      continue;
    }
    const parts = { train: 0, development: 0, test: 0 };
    for (const [, , partOf, , score] of found) {
      parts[splitOf(partOf)] += 1;
      if (score !== null) scores.push({ score, good: row.good });
    }
    const items = found.map(([id, atMicros]) => ({ id, atMicros })).sort(newestFirst);
    groups.push({ ...read, good: row.good, items, parts });
  }
  return { groups, unknown, recorded, weights: weightsOfClusters(clusters.values()), scores };
}

export async function readRecentVerdicts(ctx: ProjectCtx, trial: SimulationInput): Promise<Recent> {
  const { sql, projectId } = ctx;
  const { verifier, from } = trial;
  const rows = await sql<(GroupRow & { count: number })[]>`
    select basis::text, mission_id, task_id, own, count(*)::int as count
    from (
      select v.basis, ${originColumns(ctx, trial)} from verdicts v
      where v.project_id = ${projectId} and v.verifier_slug = ${verifier} and v.subject_kind <> 'turn' and v.basis is not null and not v.superseded and v.experiment_id is null ${inScope(ctx, trial)}
        ${from === undefined ? sql`` : sql`and v.settled_at >= ${from.toISOString()}::timestamptz`}
      order by v.settled_at desc, v.id desc limit ${recentMax}
    ) as tried group by jsonb_hash_extended(basis, 0), basis, mission_id, task_id, own`;
  const readGroup = createReader(trial.kind);
  return {
    groups: rows.flatMap((row) => {
      const read = readGroup(row);
      return read === null ? [] : [{ ...read, count: row.count }];
    }),
  };
}

export const newestFirst = (a: Item, b: Item): number =>
  b.atMicros - a.atMicros || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

type Read = { readonly decide: Rederive; readonly origin: ThresholdOrigin } | null;

function createReader({ rederive }: AnyKind): (row: GroupRow) => Read {
  const origins = new Map<string, ThresholdOrigin>();
  return (row) => {
    const basis: unknown = row.basis === null ? null : JSON.parse(row.basis);
    const decide = rederive?.(basis) ?? null;
    if (decide === null) return null;
    const own = row.own === null ? null : { key: decidingKey(basis), value: row.own };
    const made = { missionId: row.mission_id, taskId: row.task_id, own };
    const name = JSON.stringify(made);
    const origin = origins.get(name) ?? made;
    origins.set(name, origin);
    return { decide, origin };
  };
}

/**
 * Includes mission and task only if one of their values is set or simulated. Other verdicts are
 * decided in the same way and counted together.
 */
function originColumns(
  { sql }: Pick<ProjectCtx, 'sql'>,
  { stored, missionId, taskId }: SimulationInput,
): Fragment {
  const places = [
    ...stored.map((each) => [each.missionId, each.taskId]),
    [missionId ?? '', taskId ?? ''],
  ];
  const missions = [...new Set(places.map(([mission]) => mission))].filter((id) => id !== '');
  const tasks = places
    .filter(([, task]) => task !== '')
    .map(([mission, task]) => ({ mission, task }));
  return sql`
    case when v.mission_id in (select jsonb_array_elements_text(${JSON.stringify(missions)}::text::jsonb)) then v.mission_id end as mission_id,
    case when (coalesce(v.mission_id, ''), v.task_id) in (
      select mission, task from jsonb_to_recordset(${JSON.stringify(tasks)}::text::jsonb) as p(mission text, task text)
    ) then v.task_id end as task_id,
    case when v.threshold_source = 'task' and v.threshold_version = 0 then v.threshold_value end as own`;
}

/**
 * For a kind with several keys of equal rank, selects only the verdicts decided by the given key.
 */
function inScope(
  { sql }: Pick<ProjectCtx, 'sql'>,
  { kind, key, missionId, taskId }: SimulationInput,
): Fragment {
  const isOneOfMany = kind.thresholdKey !== undefined;
  return sql`
    ${isOneOfMany ? sql`and (v.basis is null or v.basis ->> 'key' = ${key})` : sql``}
    ${missionId === null ? sql`` : sql`and v.mission_id = ${missionId}`}
    ${taskId === null ? sql`` : sql`and v.task_id = ${taskId}`}
    ${taskId !== null && missionId === null ? sql`and v.mission_id is null` : sql``}`;
}
