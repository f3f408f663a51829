import type { Ctx } from '../../platform';
import type { ClaimedWork } from '../../queue';
import type { CostBudget } from '../../rules';

interface Limited {
  readonly projectId: string;
  readonly experimentId: string;
  /** Millionths of a US dollar. */
  readonly budgetMicros: number;
  /** The row whose target is called, which keeps its reservation; null for a judge. */
  readonly ordinal: number | null;
}

/**
 * The budget of an experiment, which its target and the judges of its outputs share. Each statement
 * locks the experiment before its row, so that two never deadlock.
 */
export function openRunBudget(
  { sql }: Pick<Ctx, 'sql'>,
  { projectId, experimentId, budgetMicros, ordinal }: Limited,
): CostBudget {
  return {
    async reserve(micros) {
      const rows = await sql`
        with taken as (
          update experiments set reserved_micros = reserved_micros + ${micros}::bigint
          where project_id = ${projectId} and id = ${experimentId}
            and spent_micros + reserved_micros + ${micros}::bigint <= ${budgetMicros}::bigint
          returning id
        ), noted as (
          update experiment_rows r set reserved_micros = ${micros}::bigint from taken
          where r.project_id = ${projectId} and r.experiment_id = taken.id
            and r.ordinal = ${ordinal}::int
        )
        select 1 from taken`;
      return rows.length > 0;
    },
    async settle(reservedMicros, spentMicros) {
      await sql`
        with run as materialized (
          select id from experiments where project_id = ${projectId} and id = ${experimentId}
          for update
        ), noted as (
          update experiment_rows r set reserved_micros = 0 from run
          where r.project_id = ${projectId} and r.experiment_id = run.id
            and r.ordinal = ${ordinal}::int and r.reserved_micros > 0
          returning 1
        )
        update experiments set reserved_micros = reserved_micros - ${reservedMicros}::bigint,
          spent_micros = spent_micros + ${spentMicros}::bigint
        where project_id = ${projectId} and id = ${experimentId}
          -- A call that was given up as lost is counted already.
          and (${ordinal}::int is null or exists (select from noted))`;
    },
    async describe() {
      const [row] = await sql<{ micros: string }[]>`
        select spent_micros + reserved_micros as micros from experiments
        where project_id = ${projectId} and id = ${experimentId}`;
      return `$${(Number(row?.micros ?? 0) / 1_000_000).toFixed(4)} of the $${budgetMicros / 1_000_000} of the experiment`;
    },
  };
}

/** The budget of the experiment that work belongs to; null for other work, and without a limit. */
export function budgetOfRun(
  ctx: Pick<Ctx, 'sql'>,
  { projectId, experimentBudget }: Pick<ClaimedWork, 'projectId' | 'experimentBudget'>,
): CostBudget | null {
  if (experimentBudget === undefined) return null;
  const { experimentId, micros: budgetMicros } = experimentBudget;
  return openRunBudget(ctx, { projectId, experimentId, budgetMicros, ordinal: null });
}
