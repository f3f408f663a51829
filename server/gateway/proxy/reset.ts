import { and, asc, eq, sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { notFound } from '../../platform';

/** One replica's breaker of a verifier model, as it last wrote it. */
export interface BreakerState {
  readonly model: string;
  readonly replica: string;
  /** `open` with a past `openUntil`: the next call may probe. */
  readonly state: 'closed' | 'open' | 'probing';
  readonly failures: number;
  readonly openUntil: Date | null;
  readonly problem: string | null;
  readonly changedAt: Date;
  readonly resetAt: Date | null;
}

/** The project's breakers by model and replica; those that never failed have no row. */
export async function listBreakers(ctx: ProjectCtx): Promise<BreakerState[]> {
  const { gatewayBreakers } = schema;
  const rows = await ctx.db
    .select()
    .from(gatewayBreakers)
    .where(eq(gatewayBreakers.projectId, ctx.projectId))
    .orderBy(asc(gatewayBreakers.model), asc(gatewayBreakers.replica));
  return rows.map(
    ({ model, replica, state, failures, openUntil, problem, changedAt, resetAt }) => ({
      model,
      replica,
      state: state === 'open' || state === 'probing' ? state : 'closed',
      failures,
      openUntil,
      problem,
      changedAt,
      resetAt,
    }),
  );
}

/**
 * Closes the circuit of a verifier model in every replica, within a second.
 * @throws AssayError not_found: no replica has stored one
 */
export async function resetBreaker(ctx: ProjectCtx, model: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { gatewayBreakers } = schema;
    const rows = await tx
      .select({ replica: gatewayBreakers.replica })
      .from(gatewayBreakers)
      .where(and(eq(gatewayBreakers.projectId, ctx.projectId), eq(gatewayBreakers.model, model)))
      .for('update');
    if (rows.length === 0) throw notFound('circuit');
    // Uses the database's clock, like the times that replicas write.
    await tx
      .update(gatewayBreakers)
      .set({ resetAt: sql`clock_timestamp()`, resetBy: ctx.actor.label })
      .where(and(eq(gatewayBreakers.projectId, ctx.projectId), eq(gatewayBreakers.model, model)));
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'gateway.reset_breaker',
      target: model,
    });
  });
}
