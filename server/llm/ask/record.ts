import type { Fragment, Sql, TransactionSql } from 'postgres';
import { cleanText } from '../../domain';
import { type Ctx, isDeleted, newId } from '../../platform';
import type { CallReport } from './call-model';

/** Maximum number of reply bytes stored (R-53). */
const keptBytes = 8 * 1024;

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

/**
 * Stores one HTTP call: its outcome, cost and reply; nothing if its work was deleted meanwhile
 * (R-80).
 * @throws on storage faults
 */
export async function recordCall(ctx: Pick<Ctx, 'sql' | 'clock'>, call: CallRecord): Promise<void> {
  const { report } = call;
  const failed = report.state === 'failed';
  await ctx.sql`
    insert into llm_calls (project_id, id, verdict_id, purpose, attempt, provider, model, prompt_version, state, error_class, message,
      status, input_tokens, output_tokens, cost_usd, latency_ms, reply)
    select ${call.projectId}, ${newId('llm', ctx.clock.now())}, ${call.verdictId}, ${cleanText(call.purpose).text}, ${call.attempt},
      ${call.provider}, ${call.model}, ${call.promptVersion}, ${report.state}, ${failed ? report.errorClass : null},
      ${failed ? report.message : null}, ${report.status}, ${report.inputTokens}, ${report.outputTokens}, ${call.costUsd},
      ${report.latencyMs}, ${report.reply === null ? null : keptPart(report.reply)}
    where not ${isDeleted(ctx, ctx.sql`${call.projectId}`, ctx.sql`('verdict', ${call.verdictId}::text)`)}`;
}

/** The first 8 KiB, cut at a character boundary, in a form that PostgreSQL can store. */
export function keptPart(reply: string): string {
  const { text } = cleanText(reply.slice(0, keptBytes));
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length <= keptBytes
    ? text
    : bytes
        .subarray(0, keptBytes)
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
