import type { ProjectCtx } from '../../access';
import { cleanText } from '../../domain';
import { derivedId, sha256 } from '../../platform';
import { countIntake } from './count-intake';
import { counterShard } from './store-turns';

export interface Rejected {
  /** Position in the request. */
  readonly index: number;
  readonly code: string;
  readonly message: string;
  readonly body: Buffer;
}

/**
 * Records rejected input with the reason, before the response reports it, and counts it. Resending
 * the same request leaves the same dead letters and counts nothing (X-10).
 */
export async function recordDeadLetters(
  ctx: ProjectCtx,
  input: {
    readonly route: string;
    readonly request: Buffer;
    readonly rejected: readonly Rejected[];
  },
): Promise<void> {
  const { route, request, rejected } = input;
  if (rejected.length === 0) return;
  const requestHash = sha256(request);
  for (let at = 0; at < rejected.length; at += batchSize) {
    const deadLetters = rejected
      .slice(at, at + batchSize)
      .map(({ index, code, message, body }) => ({
        i: derivedId('ddl', ctx.projectId, requestHash, String(index)),
        c: code,
        m: cleanText(message).text,
        b: body.toString('base64'),
      }));
    await ctx.sql`
      with stored as (
        insert into dead_letters (project_id, id, route, code, message, body)
        select ${ctx.projectId}, i, ${route}, c, m, decode(b, 'base64')
        from json_to_recordset(${JSON.stringify(deadLetters)}::text::json) as r(i text, c text, m text, b text)
        on conflict do nothing
        returning 1
      )
      ${countIntake(
        ctx.sql,
        ['rejected'],
        ctx.sql`
        select ${ctx.projectId}, (now() at time zone 'UTC')::date, ${counterShard(0)}, count(*)
        from stored having count(*) > 0`,
      )}`;
  }
}

const batchSize = 500;
