import type { ProjectCtx } from '../../access';
import {
  efficacyOf,
  SteeringRecord,
  rate,
  type Rate,
  rateDifference,
  type RateDifference,
  type SteerEfficacy,
} from '../../domain';
import { periodFrom } from './period';
import type { LatencySpread } from './summarise-gateway';

/** Answers that the verifier wanted to steer, on one side of the comparison. */
export interface SteerSide {
  readonly steers: number;
  readonly counts: Readonly<Record<SteerEfficacy, number>>;
  /** Rates among the steers whose recheck returned a verdict. */
  readonly fixed: Rate;
  readonly worse: Rate;
}

/**
 * The effect of steering over whole UTC days up to today: applied steers compared with controls,
 * whose note was withheld on purpose and whose answer was rechecked. A control counted as fixed
 * only means that the verifier changed its mind.
 */
export interface SteeringMeasure {
  readonly from: Date;
  readonly applied: SteerSide;
  readonly control: SteerSide;
  /** Share fixed, applied minus control; null if either side has fewer than 20. */
  readonly difference: RateDifference | null;
  /**
   * Notes that were not applied, by state: why the original was delivered (`not_qualified`: the
   * verifier is not allowed to steer), or that the note waits for the session's next request.
   */
  readonly notApplied: readonly {
    readonly state: Exclude<SteeringRecord['state'], 'applied' | 'control'>;
    readonly steers: number;
  }[];
  /** Time to regenerate the answer, for applied steers. */
  readonly recall: LatencySpread;
  /**
   * Average cost per steer in US dollars (regeneration and recheck), over `priced` steers; null if
   * no price is known.
   */
  readonly cost: { readonly usd: number | null; readonly priced: number };
  /** There are more steers than the limit; only the newest are included. */
  readonly isCut: boolean;
}

const steersMax = 10_000;

export async function measureSteering(
  ctx: ProjectCtx,
  { days }: { readonly days: 1 | 7 | 30 },
): Promise<SteeringMeasure> {
  const { sql, projectId } = ctx;
  const from = periodFrom(ctx.clock.now(), days);
  const rows = await sql<{ steer: unknown }[]>`
    select (episode -> 'steer') || '{"other_answer":null}' as steer from gateway_calls
    where project_id = ${projectId} and decision = 'steer' and created_at >= ${from.toISOString()}::timestamptz
    order by created_at desc limit ${steersMax + 1}`;
  const steers = rows.slice(0, steersMax).flatMap((row) => {
    const read = SteeringRecord.safeParse(row.steer);
    return read.success ? [read.data] : [];
  });
  const ofState = (state: SteeringRecord['state']): SteeringRecord[] =>
    steers.filter((steer) => steer.state === state);
  const [applied, control] = [asSide(ofState('applied')), asSide(ofState('control'))];
  const costs = ofState('applied').flatMap((steer) => costOf(steer) ?? []);
  return {
    from,
    applied,
    control,
    difference: rateDifference(applied.fixed, control.fixed),
    notApplied: (
      ['recall_failed', 'recall_empty', 'no_context', 'deferred', 'not_qualified'] as const
    )
      .map((state) => ({ state, steers: ofState(state).length }))
      .filter(({ steers: count }) => count > 0),
    recall: spreadOf(ofState('applied').flatMap(({ recall_ms: ms }) => ms ?? [])),
    cost: {
      usd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0) / costs.length,
      priced: costs.length,
    },
    isCut: rows.length > steersMax,
  };
}

function asSide(steers: readonly SteeringRecord[]): SteerSide {
  const counts: Record<SteerEfficacy, number> = { fixed: 0, not_fixed: 0, worse: 0, unknown: 0 };
  for (const steer of steers) counts[efficacyOf(steer)]++;
  const judged = counts.fixed + counts.not_fixed + counts.worse;
  return {
    steers: steers.length,
    counts,
    fixed: rate(counts.fixed, judged),
    worse: rate(counts.worse, judged),
  };
}

/** Null if the price of regeneration or recheck is unknown. */
function costOf(steer: SteeringRecord): number | null {
  const recheckCost = steer.after === null ? 0 : steer.after.cost_usd;
  return steer.recall_cost_usd === null || recheckCost === null
    ? null
    : steer.recall_cost_usd + recheckCost;
}

function spreadOf(values: readonly number[]): LatencySpread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number | null => {
    if (sorted.length === 0) return null;
    const place = share * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    return low + (high - low) * (place - Math.floor(place));
  };
  return { n: sorted.length, p50: at(0.5), p95: at(0.95) };
}
