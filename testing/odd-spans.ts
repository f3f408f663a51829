import { drainWork } from './database';
import type { ProjectCtx } from '../server/access';
import { listSpans } from '../server/ingest';
import {
  exportJson,
  exportProto,
  type JsonSpan,
  type OtlpFormat,
  type OtlpPair,
  type OtlpSpan,
  type OtlpValue,
  plainSpan,
  type ProtoSpan,
  readAnswer,
  sampleSpans,
  sampleTurnId,
  spanMessage,
  traceIdOf,
} from './otlp';
import { postSpans } from './span-call';
import type { Stack } from './stack';

/** Hostile spans among 50 good ones, in a request of either encoding. */

/**
 * 25 spans of the odd span's own trace, of which it is the root; 22 of another trace; and a trace
 * with a turn.
 */
export const neighbours: readonly OtlpSpan[] = [
  ...Array.from({ length: 25 }, (_, i) => plainSpan('odd', i + 1)),
  ...Array.from({ length: 22 }, (_, i) => plainSpan('other', i)),
  ...sampleSpans('good'),
];
export const oddRoot = plainSpan('odd', 0);

export type Odd = { readonly json: string } | { readonly proto: Buffer };

function batchOf(odds: readonly Odd[]): { format: OtlpFormat; body: string | Buffer } {
  if (odds.some((odd) => 'json' in odd)) {
    return {
      format: 'json',
      body: exportJson(
        (neighbours as readonly JsonSpan[]).toSpliced(
          20,
          0,
          ...odds.map((odd) => ('json' in odd ? odd.json : '')),
        ),
      ),
    };
  }
  const messages = odds.map((odd) => ('proto' in odd ? odd.proto : Buffer.alloc(0)));
  return {
    format: 'proto',
    body: exportProto((neighbours as readonly ProtoSpan[]).toSpliced(20, 0, ...messages)),
  };
}

export const jsonWith = (members: Readonly<Record<string, unknown>>): Odd => ({
  json: JSON.stringify({ ...oddRoot, ...members }),
});
export const protoWith = (members: Partial<OtlpSpan>): Odd => ({
  proto: spanMessage({ ...oddRoot, ...members }),
});
export const bytes = (...parts: readonly (Buffer | number | string)[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      Buffer.isBuffer(part)
        ? part
        : typeof part === 'number'
          ? Buffer.from([part])
          : Buffer.from(part),
    ),
  );
/** A length-delimited field of fewer than 128 bytes. */
export const field = (tag: number, body: Buffer | string): Buffer =>
  bytes(tag, Buffer.byteLength(body), body);

export function nested(depth: number): OtlpPair {
  let value: OtlpValue = { intValue: 1 };
  for (let i = 0; i < depth; i++) value = { arrayValue: { values: [value] } };
  return { key: 'deep', value };
}

/** The results of a request: compare with `allTaken`. */
export interface OddResult {
  readonly status: number;
  readonly message: string;
  /** Rejected spans, as reported in the response and as counted in the rollup. */
  readonly rejected: readonly number[];
  readonly stored: number;
  /** The verdict of the good trace. */
  readonly verdict: { readonly outcome: string; readonly unsourced: string } | undefined;
  /** Spans of the other trace. */
  readonly others: number;
  /** Remaining work, with its reasons. */
  readonly left: readonly unknown[];
}

/** Sends odd spans among 50 good ones, assembles everything and verifies it. */
export async function sendOdd(
  stack: Stack,
  url: string,
  project: ProjectCtx,
  key: string,
  odds: readonly Odd[],
): Promise<OddResult> {
  const { sql } = stack;
  const { projectId } = project;
  const batch = batchOf(odds);
  const reply = await postSpans(url, key, batch);
  const answer = reply.status === 200 ? readAnswer(batch.format, reply.bytes) : null;
  // Traces without a root wait for one, but none arrives here.
  await sql`update work set due_at = now() where project_id = ${projectId}`;
  await drainWork(stack.runtime);
  const [row] = await sql<{ stored: number; counted: number }[]>`
    select (select sum(spans)::int from trace_segments where project_id = ${projectId}) as stored,
      (select sum(rejected)::int from intake_rollups where project_id = ${projectId}) as counted`;
  const verdicts = await sql<{ outcome: string; unsourced: string }[]>`
    select outcome, detail->>'unsourced' as unsourced from verdicts where project_id = ${projectId} and turn_id = ${sampleTurnId('good')}`;
  return {
    status: reply.status,
    message: answer?.message ?? '',
    rejected: [answer?.rejected ?? 0, row?.counted ?? -1],
    stored: row?.stored ?? -1,
    verdict: verdicts[0],
    others: (await listSpans(project, traceIdOf('other'))).rows.length,
    left: await sql`select subject_id, reason from work where project_id = ${projectId}`,
  };
}

export function allTaken(odd: number, rejected: number): Partial<OddResult> {
  return {
    status: 200,
    rejected: [rejected, rejected],
    stored: 50 + odd - rejected,
    verdict: { outcome: 'failed', unsourced: '1' },
    others: 22,
    left: [],
  };
}
