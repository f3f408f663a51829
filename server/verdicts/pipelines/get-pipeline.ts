import type { ProjectCtx } from '../../access';
import type { Complexity } from '../../domain';
import { notFound } from '../../platform';
import { listTurnsOf, type SessionTurn } from '../../ingest';
import { type SubgoalOutputs, showOutputs } from './agent-output-attempts';
import { attemptsMax, reportedOf } from './checkpoint-rows';
import { type DecompositionAttempt, showDecompositions } from './decomposition-attempts';
import type { PipelineCost } from './list-pipelines';
import { readAttempts, type ReadAttempt } from './read-attempts';
import { showSyntheses, type SynthesisAttempt } from './synthesis-attempts';

/** The final reported outcome of a request. */
export interface ReportedOutcome {
  readonly succeeded: boolean;
  /** The rater's own words, if any. */
  readonly value: string | null;
  readonly by: string;
  readonly note: string | null;
  readonly at: Date;
}

/** A pipeline: one request from query to answer. */
export interface PipelineData {
  readonly id: string;
  readonly query: string | null;
  readonly complexity: Complexity | null;
  readonly origin: 'checkpoints' | 'import';
  readonly traceId: string | null;
  /** Spans of that trace have been received. */
  readonly isTraced: boolean;
  readonly sessionId: string | null;
  readonly startedAt: Date;
  readonly lastAt: Date;
  readonly reported: ReportedOutcome | null;
  readonly decompositions: readonly DecompositionAttempt[];
  readonly outputs: readonly SubgoalOutputs[];
  readonly syntheses: readonly SynthesisAttempt[];
  /**
   * The turns of the session, if no checkpoint was called: tool results then serve as the outputs,
   * and the last answer as the synthesis.
   */
  readonly turns: readonly SessionTurn[];
  /** There are more turns or earlier attempts than those listed. */
  readonly isCut: boolean;
  readonly cost: PipelineCost;
}

interface PipelineRow {
  id: string;
  query: string | null;
  complexity: Complexity | null;
  origin: PipelineData['origin'];
  trace_id: string | null;
  session_id: string | null;
  traced: boolean;
  started_at: string;
  last_at: string;
  success: boolean | null;
  value: string | null;
  by: string | null;
  note: string | null;
  at: string | null;
}

const turnsMax = 100;

/** @throws AssayError not_found, also for an id of another project */
export async function getPipeline(ctx: ProjectCtx, id: string): Promise<PipelineData> {
  const { sql, projectId } = ctx;
  const [row] = await sql<PipelineRow[]>`
    select p.id, p.query, p.complexity, p.origin, p.trace_id, p.session_id, p.started_at, p.last_at, reported.*,
      exists (select from traces t where t.project_id = p.project_id and t.id = p.trace_id) as traced
    from pipelines p left join lateral ${reportedOf(sql, projectId)} reported on true
    where p.project_id = ${projectId} and p.id = ${id}`;
  if (row === undefined) throw notFound('pipeline');
  const attempts = await readAttempts(ctx, row.id);
  const sessionTurns =
    attempts.length > 0 || row.session_id === null
      ? null
      : await listTurnsOf(ctx, { session: row.session_id, limit: turnsMax });
  const of = (kind: ReadAttempt['kind']): ReadAttempt[] =>
    attempts.filter((each) => each.kind === kind);
  return {
    id: row.id,
    query: row.query,
    complexity: row.complexity,
    origin: row.origin,
    traceId: row.trace_id,
    isTraced: row.traced,
    sessionId: row.session_id,
    startedAt: new Date(row.started_at),
    lastAt: new Date(row.last_at),
    reported: asReported(row),
    decompositions: showDecompositions(of('decomposition')),
    outputs: showOutputs(of('agent-output')),
    syntheses: showSyntheses(of('synthesis')),
    turns: sessionTurns?.items ?? [],
    isCut:
      attempts.length >= attemptsMax || (sessionTurns !== null && sessionTurns.nextCursor !== null),
    cost: sumCost(attempts),
  };
}

function asReported({ success, value, by, note, at }: PipelineRow): ReportedOutcome | null {
  if (success === null || by === null || at === null) return null;
  return { succeeded: success, value, by, note, at: new Date(at) };
}

function sumCost(attempts: readonly ReadAttempt[]): PipelineCost {
  const known = attempts.flatMap(({ attempt }) =>
    attempt.workUsd === null ? [] : [attempt.workUsd],
  );
  return {
    verifyingUsd: attempts.reduce((sum, { attempt }) => sum + attempt.costUsd, 0),
    priceUnknown: attempts.some(({ attempt }) => attempt.priceUnknown),
    workUsd: known.length === 0 ? null : known.reduce((sum, usd) => sum + usd, 0),
    costed: known.length,
    attempts: attempts.length,
  };
}
