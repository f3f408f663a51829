import type { ProjectCtx } from '../../access';
import { recordDeadLetters, type Rejected } from './dead-letters';
import { readLogSegments } from './log-segments';
import type { SegmentWriter } from './segment-writer';
import type { IngestExportInput } from './ingest-export';

/** The response: the number of log records that were not stored, and a message for the client. */
export interface IngestedLogs {
  readonly records: number;
  readonly rejected: number;
  readonly message: string | null;
}

/**
 * Takes an OTLP export of log records: when this resolves, those with content of model calls are
 * stored as events of their spans, with the work of assembling their traces. Other log records are
 * accepted and not stored.
 * @throws AssayError invalid_request, too_large (the request as a whole), unavailable, rate_limited
 * (send again)
 */
export async function ingestLogs(
  ctx: ProjectCtx,
  writer: SegmentWriter,
  input: Pick<IngestExportInput, 'body' | 'format'>,
): Promise<IngestedLogs> {
  const { count, segments, rejected, unread } = readLogSegments(ctx.projectId, input);
  const results = await writer.write(segments);
  const notStorable: Rejected[] = [];
  let refused = 0;
  results.forEach((result, at) => {
    const segment = segments[at];
    if (result.state !== 'refused' || segment === undefined) return;
    refused += segment.spans;
    const { message } = result;
    const body = Buffer.from(segment.body);
    notStorable.push({ index: count + at, code: 'not_storable', message, body });
  });
  const all = [...rejected, ...notStorable];
  await recordDeadLetters(ctx, { route: '/v1/logs', request: input.body, rejected: all });
  return {
    records: count,
    rejected: rejected.length + refused,
    message: messageOf(all[0], unread),
  };
}

const namesMax = 5;

function messageOf(
  first: Rejected | undefined,
  unread: ReadonlyMap<string, number>,
): string | null {
  if (unread.size === 0) return first?.message ?? null;
  const count = [...unread.values()].reduce((sum, each) => sum + each, 0);
  const names = [...unread.keys()].slice(0, namesMax).map((name) => name.slice(0, 100));
  const moreText = unread.size > namesMax ? ` and ${unread.size - namesMax} more` : '';
  const warning = `${count} log records with events that Assay does not read were not stored: ${names.join(', ')}${moreText}`;
  return first === undefined ? warning : `${first.message}; ${warning}`;
}
