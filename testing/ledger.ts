import type { Sql } from 'postgres';

/**
 * The load client's records, and the check that ends every crash test (reliability.md 4.0): acked ⊆
 * stored, stored ⊆ sent, one current verdict per verifier version for each turn with sources,
 * accepted + duplicates + rejected = sent, rollups equal to raw counts.
 */
export interface Ledger {
  readonly sent: ReadonlySet<string>;
  readonly acked: ReadonlySet<string>;
  /** Responses by status; 0 is a broken connection. */
  readonly statuses: ReadonlyMap<number, number>;
  /**
   * Faults of the responses themselves: a 503 without Retry-After, a 2xx with inconsistent counts.
   */
  readonly faults: readonly string[];
  /** Sends a batch once; true if it was acknowledged. */
  post(turns: readonly LedgerTurn[]): Promise<boolean>;
  /**
   * Sends a batch until it is acknowledged; resolves with the number of attempts.
   * @throws Error at the deadline
   */
  postUntilAcked(turns: readonly LedgerTurn[], timeoutMs?: number): Promise<number>;
}

export interface LedgerTurn {
  readonly id: string;
  readonly [member: string]: unknown;
}

export function createLedger(target: { readonly url: string; readonly key: string }): Ledger {
  const sent = new Set<string>();
  const acked = new Set<string>();
  const statuses = new Map<number, number>();
  const faults: string[] = [];

  async function post(turns: readonly LedgerTurn[]): Promise<boolean> {
    for (const turn of turns) sent.add(turn.id);
    let response: Response;
    try {
      response = await fetch(`${target.url}/v1/turns`, {
        method: 'POST',
        headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ turns }),
        signal: AbortSignal.timeout(15_000),
      });
    } catch {
      statuses.set(0, (statuses.get(0) ?? 0) + 1);
      return false;
    }
    const { status } = response;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const text = await response.text();
    if (status === 503 && response.headers.get('retry-after') === null)
      faults.push('503 without Retry-After');
    if (status !== 202 && status !== 503) faults.push(`${status} ${text.slice(0, 200)}`);
    if (status !== 202) return false;
    const reply = JSON.parse(text) as { accepted: number; duplicates: number; rejected: unknown[] };
    const sum = reply.accepted + reply.duplicates + reply.rejected.length;
    if (sum !== turns.length || reply.rejected.length > 0)
      faults.push(`${turns.length} sent, answered ${text.slice(0, 200)}`);
    for (const turn of turns) acked.add(turn.id);
    return true;
  }

  return {
    sent,
    acked,
    statuses,
    faults,
    post,
    async postUntilAcked(turns, timeoutMs = 60_000) {
      const end = performance.now() + timeoutMs;
      for (let tries = 1; ; tries++) {
        if (await post(turns)) return tries;
        if (performance.now() > end)
          throw new Error(`not acknowledged within ${timeoutMs} ms: ${faults.join('; ')}`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
  };
}

export interface Balance {
  readonly sent: number;
  readonly acked: number;
  readonly stored: number;
  readonly verdicts: number;
  readonly lost: readonly string[];
  readonly invented: readonly string[];
  readonly twice: readonly string[];
  readonly withoutVerdict: readonly string[];
  readonly rollupsWrong: readonly string[];
  readonly faults: readonly string[];
}

/** The result without faults, for `toMatchObject`. */
export const clean = {
  lost: [],
  invented: [],
  twice: [],
  withoutVerdict: [],
  rollupsWrong: [],
  faults: [],
};

/** Reads the whole project and compares it with the records. */
export async function closeLedger(
  sql: Sql,
  projectId: string,
  ledger: Pick<Ledger, 'sent' | 'acked' | 'faults'>,
): Promise<Balance> {
  const stored = new Set(
    (await sql<{ id: string }[]>`select id from turns where project_id = ${projectId}`).map(
      (row) => row.id,
    ),
  );
  const verdicts = await sql<{ subject_id: string; n: number }[]>`
    select v.subject_id, count(*)::int as n from verdicts v join turns t on t.project_id = v.project_id and t.id = v.subject_id and t.revision = v.revision
    where v.project_id = ${projectId} group by v.subject_id, v.verifier_slug, v.verifier_version`;
  const withoutSources = await sql<{ subject_id: string }[]>`
    select subject_id from decisions where project_id = ${projectId} and state = 'no_subject'`;
  const decided = new Set([...verdicts, ...withoutSources].map((row) => row.subject_id));
  return {
    sent: ledger.sent.size,
    acked: ledger.acked.size,
    stored: stored.size,
    verdicts: verdicts.length,
    lost: [...ledger.acked].filter((id) => !stored.has(id)),
    invented: [...stored].filter((id) => !ledger.sent.has(id)),
    twice: verdicts.filter((row) => row.n !== 1).map((row) => row.subject_id),
    withoutVerdict: [...stored].filter((id) => !decided.has(id)),
    rollupsWrong: await compareRollups(sql, projectId),
    faults: ledger.faults,
  };
}

/**
 * Compares each rollup row with the same count over the live verdicts that are not superseded.
 * Reports every difference; counts must be equal.
 */
export async function compareRollups(sql: Sql, projectId: string): Promise<string[]> {
  const outcomes = await sql<{ difference: string }[]>`
    with raw as (
      select (settled_at at time zone 'UTC')::date as day, verifier_slug, coalesce(model, '') as model,
        count(*) filter (where outcome = 'passed' and not superseded) as passed, count(*) filter (where outcome = 'failed' and not superseded) as failed,
        count(*) filter (where outcome = 'needs_review' and not superseded) as needs_review, count(*) filter (where outcome = 'steered' and not superseded) as steered,
        count(*) filter (where outcome = 'inconclusive' and not superseded) as inconclusive, count(*) filter (where outcome = 'skipped' and not superseded) as skipped
      from verdicts where project_id = ${projectId} and experiment_id is null group by 1, 2, 3
    ), rolled as (
      select day, verifier_slug, model, passed, failed, needs_review, steered, inconclusive, skipped from verdict_rollups where project_id = ${projectId}
    )
    select 'raw only ' || x::text as difference from (select * from raw except select * from rolled) x
    union all select 'rollup only ' || x::text from (select * from rolled except select * from raw) x`;
  const integrity = await sql<{ difference: string }[]>`
    with raw as (
      select (settled_at at time zone 'UTC')::date as day, coalesce(model, '') as model,
        count(*) filter (where not superseded) as answers,
        count(*) filter (where not superseded and detail->>'mode' = 'fallback_scan') as fallback_scans,
        coalesce(sum(jsonb_array_length(detail->'figures')) filter (where not superseded), 0)::bigint as figures,
        coalesce(sum((detail->>'unsourced')::bigint) filter (where not superseded), 0)::bigint as unsourced,
        count(*) filter (where not superseded and (detail->>'reprompt_used')::boolean) as reprompts,
        count(*) filter (where not superseded and (detail->>'reprompt_used')::boolean and (detail->>'unsourced')::int = 0) as reprompts_helped
      from verdicts where project_id = ${projectId} and experiment_id is null and jsonb_typeof(detail->'fields') = 'object' group by 1, 2
    ), rolled as (
      select day, model, answers, fallback_scans, figures, unsourced, reprompts, reprompts_helped from integrity_rollups where project_id = ${projectId}
    )
    select 'raw only ' || x::text as difference from (select * from raw except select * from rolled) x
    union all select 'rollup only ' || x::text from (select * from rolled except select * from raw) x`;
  return [...outcomes, ...integrity].map((row) => row.difference);
}
