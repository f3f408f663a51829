import type { ExperimentResult } from '../client/evaluation';
import type { Verification } from '../client/turn';
import type { Api } from './api';
import { describeFailure } from './describe-verdict';
import { listVerdicts } from './list-verdicts';

/** A verdict that did not pass, or a row without an answer. */
export interface EvalFailure {
  /** Null if the target failed, and there is no answer to verify. */
  readonly verifier: string | null;
  /** The id of the dataset's item. */
  readonly item: string;
  readonly repetition: number;
  /** Of the verdict, or its state; `error` if the target failed. */
  readonly outcome: string;
  readonly reason: string;
  /** Of the verdict, or of the experiment. */
  readonly url: string;
}

/** As `GET /v1/experiments/{id}/rows` returns it. */
interface ExperimentRow {
  readonly item_id: string;
  readonly repetition: number;
  readonly turn_id: string | null;
  readonly error: string | null;
}

/** Of each kind. */
const shownFailures = 200;

/** The rows without an answer in the order of the dataset, then the verdicts, newest first. */
export async function listFailures(api: Api, experiment: ExperimentResult): Promise<EvalFailure[]> {
  return [
    ...(await listFailedRows(api, experiment)),
    ...(await listFailedVerdicts(api, experiment.id)),
  ];
}

async function listFailedRows(
  api: Api,
  { id, url, counts }: ExperimentResult,
): Promise<EvalFailure[]> {
  const failures: EvalFailure[] = [];
  for (const state of ['failed', 'lost'] as const) {
    if (counts[state] === 0) continue;
    for await (const { item_id: item, repetition, error } of listRows(api, id, state)) {
      if (failures.length === shownFailures) return failures;
      const reason = error ?? 'the answer was lost';
      failures.push({ verifier: null, item, repetition, outcome: 'error', reason, url });
    }
  }
  return failures;
}

async function listFailedVerdicts(api: Api, id: string): Promise<EvalFailure[]> {
  const verdicts: Verification[] = [];
  for await (const verdict of listVerdicts(api, { experiment: id })) {
    if (outcomeOf(verdict) === 'passed') continue;
    verdicts.push(verdict);
    if (verdicts.length === shownFailures) break;
  }
  const rows = await findRows(api, id, new Set(verdicts.flatMap((each) => each.turn_id ?? [])));
  return verdicts.map((verdict) => {
    const row = rows.get(verdict.turn_id ?? '');
    return {
      verifier: verdict.verifier,
      item: row?.item_id ?? verdict.turn_id ?? verdict.subject_id,
      repetition: row?.repetition ?? 1,
      outcome: outcomeOf(verdict),
      reason: describeFailure(verdict),
      url: verdict.url,
    };
  });
}

const outcomeOf = ({ outcome, state }: Verification): string => outcome ?? state;

/** The rows of the turns, by the id of the turn. */
async function findRows(
  api: Api,
  id: string,
  turns: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ExperimentRow>> {
  const found = new Map<string, ExperimentRow>();
  if (turns.size === 0) return found;
  for await (const row of listRows(api, id)) {
    if (row.turn_id !== null && turns.has(row.turn_id)) found.set(row.turn_id, row);
    if (found.size === turns.size) break;
  }
  return found;
}

async function* listRows(api: Api, id: string, state?: string): AsyncGenerator<ExperimentRow> {
  for (let cursor: string | undefined; ; ) {
    const page = await api.call(`/v1/experiments/${id}/rows`, {
      query: { state, limit: 200, cursor },
    });
    // The server validates the shape.
    yield* page.data as ExperimentRow[];
    if (typeof page.next_cursor !== 'string') return;
    cursor = page.next_cursor;
  }
}
