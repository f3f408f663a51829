import type { ProjectCtx } from '../../access';
import { GatewayReason, GatewayVerdict } from '../../domain';
import { listBreakers } from '../proxy/reset';
import { periodFrom } from './period';

/** Median and 95th percentile in milliseconds; null if `n` is 0. */
export interface LatencySpread {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

/**
 * A verifier model whose breaker is not closed on at least one replica, which in the meantime
 * delivers answers unverified (QV-33).
 */
export interface OpenBreaker {
  readonly model: string;
  /** `probing`: the next verification tries it once (QV-34). */
  readonly state: 'open' | 'probing';
  readonly replicas: number;
  /** The highest failure count of any replica. */
  readonly failures: number;
  readonly openUntil: Date | null;
  readonly problem: string | null;
}

/** Gateway traffic in whole UTC days up to today. */
export interface GatewaySummary {
  readonly from: Date;
  readonly calls: number;
  /** Calls that were counted but not recorded, because the queue was full. */
  readonly dropped: number;
  readonly verdicts: Readonly<Record<GatewayVerdict, number>>;
  /** Why answers were not verified, including unavailable ones. */
  readonly reasons: Readonly<Record<GatewayReason, number>>;
  /** The time that buffered answers were held back after their last byte. */
  readonly deliveryDelay: LatencySpread;
  readonly routes: readonly {
    readonly name: string;
    readonly calls: number;
    readonly verified: number;
  }[];
  readonly breakers: readonly OpenBreaker[];
  /** Whether there has ever been a call. */
  readonly hasCalls: boolean;
}

interface CountRow {
  route: string;
  verdict: GatewayVerdict;
  reason: string;
  calls: number;
  dropped: number;
}

export async function summariseGateway(
  ctx: ProjectCtx,
  { days }: { readonly days: 1 | 7 | 30 },
): Promise<GatewaySummary> {
  const from = periodFrom(ctx.clock.now(), days);
  const [counts, deliveryDelay, breakers, hasCalls] = await Promise.all([
    readCounts(ctx, from),
    readDeliveryDelay(ctx, from),
    readBreakers(ctx),
    readHasCalls(ctx),
  ]);
  const callsWhere = (is: (row: CountRow) => boolean): number =>
    counts.filter(is).reduce((sum, { calls }) => sum + calls, 0);
  const routes = [...new Set(counts.map(({ route }) => route))].map((name) => ({
    name,
    calls: callsWhere(({ route }) => route === name),
    verified: callsWhere(({ route, verdict }) => route === name && isVerified(verdict)),
  }));
  return {
    from,
    calls: callsWhere(() => true),
    dropped: counts.reduce((sum, { dropped }) => sum + dropped, 0),
    verdicts: countsOf(GatewayVerdict.options, (each) =>
      callsWhere(({ verdict }) => verdict === each),
    ),
    reasons: countsOf(GatewayReason.options, (each) => callsWhere(({ reason }) => reason === each)),
    deliveryDelay,
    routes: routes.toSorted((a, b) => b.calls - a.calls || a.name.localeCompare(b.name)),
    breakers,
    hasCalls,
  };
}

const isVerified = (verdict: GatewayVerdict): boolean =>
  verdict === 'passed' || verdict === 'steered' || verdict === 'flagged';

function countsOf<Name extends string>(
  names: readonly Name[],
  count: (name: Name) => number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Name, number>;
}

/** From the hourly counts, which include dropped calls. */
async function readCounts({ sql, projectId }: ProjectCtx, from: Date): Promise<CountRow[]> {
  return sql<CountRow[]>`
    select route, verdict, reason, sum(calls)::double precision as calls, sum(dropped)::double precision as dropped
    from gateway_rollups where project_id = ${projectId} and hour >= ${from.toISOString()}::timestamptz
    group by route, verdict, reason`;
}

async function readDeliveryDelay(
  { sql, projectId }: ProjectCtx,
  from: Date,
): Promise<LatencySpread> {
  const [row] = await sql<{ n: number; spread: number[] | null }[]>`
    select count(*)::int as n, to_jsonb(percentile_cont(array[0.5, 0.95]) within group (order by held_ms)) as spread
    from gateway_calls
    where project_id = ${projectId} and created_at >= ${from.toISOString()}::timestamptz and held_ms is not null`;
  return { n: row?.n ?? 0, p50: row?.spread?.[0] ?? null, p95: row?.spread?.[1] ?? null };
}

/** A requested reset is newer than the stored state until the replica has applied it. */
async function readBreakers(ctx: ProjectCtx): Promise<OpenBreaker[]> {
  const now = ctx.clock.now();
  const open = (await listBreakers(ctx)).filter(
    ({ state, resetAt, changedAt }) =>
      state !== 'closed' && (resetAt === null || resetAt < changedAt),
  );
  return [...new Set(open.map(({ model }) => model))].map((model) => {
    const replicas = open
      .filter((each) => each.model === model)
      .toSorted((a, b) => b.changedAt.getTime() - a.changedAt.getTime());
    const until = replicas.flatMap(({ openUntil }) => openUntil ?? []);
    const mayProbe = replicas.every(
      ({ state, openUntil }) => state === 'probing' || (openUntil !== null && openUntil <= now),
    );
    return {
      model,
      state: mayProbe ? 'probing' : 'open',
      replicas: replicas.length,
      failures: Math.max(...replicas.map(({ failures }) => failures)),
      openUntil: until.reduce<Date | null>(
        (latest, each) => (latest === null || each > latest ? each : latest),
        null,
      ),
      problem: replicas[0]?.problem ?? null,
    };
  });
}

async function readHasCalls({ sql, projectId }: ProjectCtx): Promise<boolean> {
  const rows = await sql`select 1 from gateway_rollups where project_id = ${projectId} limit 1`;
  return rows.length > 0;
}
