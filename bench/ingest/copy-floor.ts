import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchSpan } from '../spans';
import type { Stage } from '../stage';
import { micros } from './load';

/**
 * The duration of one backend's COPY from a file inside the server: of the spans as rows of a plain
 * table, one row per span (performance.md 3c), and of the rows that the intake actually stores.
 */
export async function makeCopyTables({ sql }: Stage): Promise<void> {
  await sql`
    create table if not exists plain_spans (
      project_id text, trace_id text, span_id text, parent_id text, name text, started_at timestamptz, ended_at timestamptz, attributes text,
      primary key (project_id, trace_id, span_id))`;
  await sql`create index if not exists plain_spans_started on plain_spans (project_id, started_at)`;
  await sql`create table if not exists copied_segments (like trace_segments including all)`;
}

/** Spans in the text format of COPY. */
export function writePlainSpans(stage: Stage, traces: readonly (readonly BenchSpan[])[]): string {
  const file = join(stage.folder, 'plain-spans.copy');
  const at = (ns: bigint): string => new Date(Number(ns / 1_000_000n)).toISOString();
  const lines = traces.flatMap((spans) =>
    spans.map((span) => {
      const attributes = JSON.stringify(Object.fromEntries(span.attributes));
      const ended = at(span.startNs + 1_000_000n);
      return [
        stage.project.projectId,
        span.traceId,
        span.spanId,
        span.parentSpanId,
        span.name,
        at(span.startNs),
        ended,
        attributes,
      ]
        .map((value) =>
          value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n'),
        )
        .join('\t');
    }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** The segments currently in the table, as the server itself writes them. */
export async function writeSegments(stage: Stage): Promise<string> {
  const file = join(stage.folder, 'segments.copy');
  await stage.sql.unsafe(`copy trace_segments to '${file}' (format binary)`);
  return file;
}

/**
 * Copies a file into an empty table.
 * @throws Error unless it contains `rows` of them
 */
export async function copyFile(
  stage: Stage,
  table: 'plain_spans' | 'copied_segments',
  file: string,
  { rows, units }: { readonly rows: number; readonly units: number },
): Promise<{ readonly rate: number; readonly cpuUs: number }> {
  await stage.sql.unsafe(`truncate ${table}`);
  await stage.sql`checkpoint`;
  const before = stage.postgresCpu();
  const began = performance.now();
  const { count } = await stage.sql.unsafe(
    `copy ${table} from '${file}'${table === 'plain_spans' ? '' : ' (format binary)'}`,
  );
  const seconds = (performance.now() - began) / 1000;
  if (count !== rows) throw new Error(`void: COPY took ${count} of ${rows} rows`);
  return { rate: units / seconds, cpuUs: micros(stage.postgresCpu() - before, units) };
}
