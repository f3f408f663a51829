import type { z } from 'zod';
import type { ProjectCtx } from '../../access';
import type { Outcome } from '../../domain';
import { notFound } from '../../platform';
import { readPlace, writePlace } from '../datasets/place-cursor';
import type { ExperimentRowFilters, rowStates } from './compare-input';
import { getHeads } from './experiment-head';

/** One row of an experiment: an item in one repetition. */
export interface ExperimentRowResult {
  readonly itemId: string;
  readonly repetition: number;
  readonly state: (typeof rowStates)[number];
  /** The turn with the output; null without one. */
  readonly turnId: string | null;
  /** Why the row has no output; null if it has one. */
  readonly error: string | null;
  readonly costUsd: number | null;
  readonly latencyMs: number | null;
  /** The newest verdict of each verifier. */
  readonly verdicts: readonly {
    readonly verifier: string;
    readonly outcome: Outcome;
    readonly score: number | null;
    readonly verificationId: string;
  }[];
}

/**
 * The rows of an experiment in the order of the dataset.
 * @throws AssayError not_found, invalid_request on a foreign cursor
 */
export async function listExperimentRows(
  ctx: ProjectCtx,
  id: string,
  { state, cursor, limit }: z.infer<typeof ExperimentRowFilters>,
): Promise<{
  readonly items: readonly ExperimentRowResult[];
  readonly nextCursor: string | null;
}> {
  const { sql, projectId } = ctx;
  const [head] = await getHeads(ctx, [id]);
  if (head === undefined) throw notFound('experiment');
  const after = cursor === undefined ? null : readPlace(cursor);
  const rows = await sql<(Omit<ExperimentRowResult, 'verdicts'> & { ordinal: number })[]>`
    select ordinal, item_id as "itemId", repetition, state, turn_id as "turnId", error,
      cost_usd as "costUsd", latency_ms as "latencyMs"
    from experiment_rows where project_id = ${projectId} and experiment_id = ${id}
      ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${after === null ? sql`` : sql`and ordinal > ${after.ordinal}`}
    order by ordinal limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const verdictsOf = await readVerdicts(
    ctx,
    id,
    page.flatMap(({ turnId }) => turnId ?? []),
  );
  return {
    items: page.map(({ ordinal: _ordinal, ...row }) => ({
      ...row,
      verdicts: row.turnId === null ? [] : (verdictsOf.get(row.turnId) ?? []),
    })),
    nextCursor:
      rows.length > limit && last !== undefined
        ? writePlace({ ordinal: last.ordinal, id: last.itemId })
        : null,
  };
}

async function readVerdicts(
  { sql, projectId }: ProjectCtx,
  experimentId: string,
  turnIds: readonly string[],
): Promise<ReadonlyMap<string, ExperimentRowResult['verdicts']>> {
  const found = new Map<string, ExperimentRowResult['verdicts'][number][]>();
  if (turnIds.length === 0) return found;
  const rows = await sql<(ExperimentRowResult['verdicts'][number] & { turn_id: string })[]>`
    select distinct on (turn_id, verifier_slug) turn_id, verifier_slug as verifier, outcome, score,
      id as "verificationId"
    from verdicts
    where project_id = ${projectId} and experiment_id = ${experimentId} and not superseded
      and turn_id in ${sql([...turnIds])}
    order by turn_id, verifier_slug, settled_at desc, id desc`;
  for (const { turn_id: turnId, ...verdict } of rows)
    found.set(turnId, [...(found.get(turnId) ?? []), verdict]);
  return found;
}
