import type { ProjectCtx } from '../../access';
import type { SteerEfficacy } from '../../domain';
import { type Spread, spreadOf } from '../../verdicts';
import { periodFrom } from './period';

/** The verifier's effect on the calls of one UTC day. */
export interface GatewayDay {
  /** `2026-11-23` */
  readonly day: string;
  /** Applied steers by the result of their recheck. */
  readonly steers: Readonly<Record<SteerEfficacy, number>>;
  /** Notes withheld on purpose, and notes that were not delivered. */
  readonly withheld: number;
  readonly undelivered: number;
  /**
   * Milliseconds that answers were held back after their last byte; percentiles are accurate to 2
   * %.
   */
  readonly deliveryDelay: Spread;
}

interface Row {
  day: string;
  fixed: string;
  not_fixed: string;
  worse: string;
  unknown: string;
  withheld: string;
  undelivered: string;
  held: Readonly<Record<string, number>>;
}

/**
 * Whole UTC days up to today, oldest first, including days without calls; from the daily counts.
 */
export async function listGatewayDays(
  ctx: ProjectCtx,
  { days }: { readonly days: 1 | 7 | 30 },
): Promise<GatewayDay[]> {
  const { sql, projectId } = ctx;
  const from = periodFrom(ctx.clock.now(), days);
  const dayOf = (index: number): string =>
    new Date(from.getTime() + index * 86_400_000).toISOString().slice(0, 10);
  const rows = await sql<Row[]>`
    select day::text, fixed, not_fixed, worse, unknown, withheld, undelivered, held
    from gateway_days where project_id = ${projectId} and day >= ${dayOf(0)}::date`;
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, index) => {
    const day = dayOf(index);
    const row = byDay.get(day);
    return {
      day,
      steers: {
        fixed: Number(row?.fixed ?? 0),
        not_fixed: Number(row?.not_fixed ?? 0),
        worse: Number(row?.worse ?? 0),
        unknown: Number(row?.unknown ?? 0),
      },
      withheld: Number(row?.withheld ?? 0),
      undelivered: Number(row?.undelivered ?? 0),
      deliveryDelay: spreadOf(
        Object.entries(row?.held ?? {}).map(([bucket, count]) => ({
          bucket: Number(bucket),
          count,
        })),
      ),
    };
  });
}
