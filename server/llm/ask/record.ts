import type { Fragment, Sql, TransactionSql } from 'postgres';
import { cleanText, storableJson } from '../../domain';
import { type Ctx, isDeleted, joinStatements, newId } from '../../platform';
import type { CallReport } from './call-model';

/** Maximum number of reply bytes stored (R-53). */
const storedBytesMax = 8 * 1024;

/** An HTTP call to be stored. */
export interface CallRecord {
  readonly projectId: string;
  readonly verdictId: string | null;
  readonly provider: string;
  readonly model: string;
  readonly attempt: number;
  readonly costUsd: number | null;
  readonly purpose: string;
  /** `slug@version`, or null. */
  readonly promptVersion: string | null;
  readonly report: CallReport;
}

type Reach = Pick<Ctx, 'sql' | 'clock'>;

/**
 * Stores one HTTP call: its outcome, cost and reply; nothing if its work was deleted in the
 * meantime (R-80). Calls that end at the same time are stored together.
 * @throws on storage faults
 */
export const recordCall = joinStatements(async (ctx: Reach, calls: readonly CallRecord[]) => {
  const { sql } = ctx;
  const rows = calls.map((call) => asRow(call, newId('llm', ctx.clock.now())));
  await sql`
    insert into llm_calls (project_id, id, verdict_id, purpose, attempt, provider, model, prompt_version, state, error_class, message,
      status, input_tokens, output_tokens, cost_usd, latency_ms, reply)
    select p, id, verdict_id, purpose, attempt, provider, model, prompt_version, state, error_class, message,
      status, input_tokens, output_tokens, cost_usd, latency_ms, reply
    from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as r(
      p text, id text, verdict_id text, purpose text, attempt int, provider text, model text, prompt_version text, state text,
      error_class text, message text, status int, input_tokens int, output_tokens int, cost_usd double precision,
      latency_ms double precision, reply text)
    where not ${isDeleted(ctx, sql`r.p`, sql`('verdict', r.verdict_id)`)}`;
  return [];
});

function asRow(call: CallRecord, id: string) {
  const { report } = call;
  const failed = report.state === 'failed';
  return {
    p: call.projectId,
    id,
    verdict_id: call.verdictId,
    purpose: cleanText(call.purpose).text,
    attempt: call.attempt,
    provider: call.provider,
    model: call.model,
    prompt_version: call.promptVersion,
    state: report.state,
    error_class: failed ? report.errorClass : null,
    message: failed ? report.message : null,
    status: report.status,
    input_tokens: report.inputTokens,
    output_tokens: report.outputTokens,
    cost_usd: call.costUsd,
    latency_ms: report.latencyMs,
    reply: report.reply === null ? null : storedPart(report.reply),
  };
}

/** The first 8 KiB, cut at a character boundary, in a form that PostgreSQL can store. */
export function storedPart(reply: string): string {
  const { text } = cleanText(reply.slice(0, storedBytesMax));
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length <= storedBytesMax
    ? text
    : bytes
        .subarray(0, storedBytesMax)
        .toString('utf8')
        .replace(/\uFFFD$/, '');
}

/**
 * Deletes the replies of recorded calls, and keeps their costs.
 * @param places `ctid` of rows
 */
export async function deleteReplies(sql: Sql | TransactionSql, places: Fragment): Promise<number> {
  const done = await sql`update llm_calls set reply = null where ctid in (${places})`;
  return done.count;
}
