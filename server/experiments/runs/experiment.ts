import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { notFound } from '../../platform';
import type { experimentStates } from '../compare/compare-input';
import type { ExperimentTarget } from './run-input';

export type ExperimentState = (typeof experimentStates)[number];

/** A stored experiment, as its run needs it. */
export interface Experiment {
  readonly id: string;
  readonly name: string;
  readonly datasetId: string;
  readonly datasetVersion: number;
  /** Without the values of its headers. */
  readonly target: ExperimentTarget;
  /** The sealed headers of an `http` target; null if there are none. */
  readonly headers: string | null;
  readonly verifiers: readonly string[];
  readonly concurrency: number;
  /** Millionths of a US dollar; null means no limit. */
  readonly budgetMicros: number | null;
  readonly jobId: string;
  readonly state: ExperimentState;
}

/**
 * The state of the experiment `e` with the job `j`: a job that failed, or was cancelled as a job,
 * leaves the experiment's own state unchanged.
 */
export const stateOfRun = (sql: ProjectCtx['sql']): Fragment =>
  sql`case when e.state = 'running' and j.state in ('failed', 'cancelled') then j.state
    else e.state end`;

/** @throws AssayError not_found */
export async function findExperiment(
  { sql, projectId }: Pick<ProjectCtx, 'sql' | 'projectId'>,
  id: string,
): Promise<Experiment> {
  const [row] = await sql<
    {
      id: string;
      name: string;
      dataset_id: string;
      dataset_version: number;
      target: ExperimentTarget;
      headers: string | null;
      verifiers: string[];
      concurrency: number;
      budget_micros: string | null;
      job_id: string;
      state: ExperimentState;
    }[]
  >`
    select e.id, e.name, dataset_id, dataset_version, target, headers,
      to_jsonb(verifiers) as verifiers, concurrency, budget_micros, job_id,
      ${stateOfRun(sql)} as state
    from experiments e left join jobs j on j.project_id = e.project_id and j.id = e.job_id
    where e.project_id = ${projectId} and e.id = ${id}`;
  if (row === undefined) throw notFound('experiment');
  return {
    id: row.id,
    name: row.name,
    datasetId: row.dataset_id,
    datasetVersion: row.dataset_version,
    target: row.target,
    headers: row.headers,
    verifiers: row.verifiers,
    concurrency: row.concurrency,
    budgetMicros: row.budget_micros === null ? null : Number(row.budget_micros),
    jobId: row.job_id,
    state: row.state,
  };
}

/** The id of the verdict of one verifier on one row. The statement of `planMissing` must agree. */
export const verdictSeed = (experimentId: string, ordinal: number, verifier: string): string =>
  `${experimentId} ${ordinal} ${verifier}`;

/** The id of the turn with the output of one row. */
export const outputTurnId = (experimentId: string, ordinal: number): string =>
  `${experimentId}-${ordinal}`;
