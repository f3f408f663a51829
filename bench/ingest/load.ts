import { join } from 'node:path';
import { root } from '../../scripts/data-dir.mjs';
import { type Child, startChild } from '../child';
import { treeCpuSeconds } from '../cpu';
import { type LoadResult, sendAll } from '../raw-client';
import { quantileOf } from '../rounds';
import type { Stage } from '../stage';

const connections = 32;

/** A load on one server. Units are the content of a message: spans, or the message itself. */
export interface Load {
  readonly child: Pick<Child, 'pid' | 'port'>;
  readonly messages: readonly Buffer[];
  readonly unitsPerMessage: number;
  readonly maxSeconds?: number;
  /** The server whose PostgreSQL is included. */
  readonly stage?: Stage;
}

/** A type and not an interface, so that it is also a record of figures. */
export type LoadMeasures = {
  /** Units per second. */
  readonly rate: number;
  /** Processor microseconds per unit: the server's process tree, PostgreSQL's, and both. */
  readonly serverUs: number;
  readonly postgresUs: number;
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

/** Sends all messages over 32 connections. @throws Error unless every answer is 200 */
export async function measureLoad(load: Load): Promise<LoadMeasures> {
  const { child, messages, unitsPerMessage, stage } = load;
  if (stage !== undefined) await stage.sql`checkpoint`;
  const before = { server: treeCpuSeconds(child.pid), postgres: stage?.postgresCpu() ?? 0 };
  const result = await sendAll(child.port, messages, connections, load.maxSeconds);
  const server = treeCpuSeconds(child.pid) - before.server;
  const postgres = (stage?.postgresCpu() ?? 0) - before.postgres;
  requireAll(result, 200);
  const units = result.sent * unitsPerMessage;
  return {
    rate: units / result.seconds,
    serverUs: micros(server, units),
    postgresUs: micros(postgres, units),
    cpuUs: micros(server + postgres, units),
    p50Ms: quantileOf(result.latencies, 0.5),
    p99Ms: quantileOf(result.latencies, 0.99),
  };
}

export function micros(seconds: number, of: number): number {
  return (seconds / of) * 1e6;
}

/** @throws Error: one other answer voids the run */
function requireAll({ sent, statuses }: LoadResult, status: number): void {
  if (statuses.get(status) !== sent)
    throw new Error(`void: ${sent} sent, answers by status ${JSON.stringify([...statuses])}`);
}

export function startBareServer(mode: 'parse' | 'read'): Promise<Child> {
  return startChild(join(root, 'bench', 'ingest', 'bare-server.mjs'), { args: [mode] });
}

/** All rows written by intake and workers. */
export async function wipe({ sql }: Pick<Stage, 'sql'>): Promise<void> {
  await sql`
    truncate trace_segments, traces, turns, turn_versions, sessions, work, work_attempts, intake_rollups, decisions, decision_rollups,
      verdicts, scores, verdict_rollups, integrity_rollups, foreign_scores, dead_letters`;
}

export interface Stored {
  readonly segments: number;
  readonly spans: number;
  readonly traces: number;
  readonly work: number;
  readonly rolledSpans: number;
  readonly rolledDuplicates: number;
}

async function readStored({ sql }: Pick<Stage, 'sql'>): Promise<Stored> {
  const [row] = await sql<Stored[]>`
    select (select count(*)::int from trace_segments) as segments, (select coalesce(sum(spans), 0)::int from trace_segments) as spans,
      (select count(*)::int from traces) as traces, (select count(*)::int from work where subject_kind = 'trace') as work,
      (select coalesce(sum(spans), 0)::int from intake_rollups) as "rolledSpans",
      (select coalesce(sum(duplicates), 0)::int from intake_rollups) as "rolledDuplicates"`;
  if (row === undefined) throw new Error('no counts');
  return row;
}

/** @throws Error if the stored data differs from the acknowledged data, which voids the run */
export async function requireStored(
  stage: Pick<Stage, 'sql'>,
  expected: Partial<Stored>,
): Promise<void> {
  const stored = await readStored(stage);
  const wrong = Object.entries(expected).filter(
    ([name, value]) => stored[name as keyof Stored] !== value,
  );
  if (wrong.length > 0)
    throw new Error(
      `void: stored ${JSON.stringify(stored)}, acknowledged ${JSON.stringify(expected)}`,
    );
}
