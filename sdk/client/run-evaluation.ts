import { answerItem } from './answer-item';
import { pause } from './call';
import { checkBaseline, checkGate } from './check-gate';
import type {
  EvaluationItem,
  EvaluationResult,
  EvaluationTarget,
  ExperimentGateResult,
  ExperimentResult,
  RemoteTarget,
} from './evaluation';
import type { HttpApi } from './http-api';
import { newUuid } from './ids';
import { type ItemsSource, rejectedText, storeItems } from './store-items';

/** The common part of `evaluate` and `assay eval run`: one experiment, from items to gate. */

export interface EvaluationPlan {
  /** A slug, or a slug and a version. */
  readonly dataset: string;
  /** Items that become the latest version of the dataset; null means the stored ones. */
  readonly items: ItemsSource | null;
  /** Members of `POST /v1/experiments`, without the dataset and the target. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly target: EvaluationTarget | RemoteTarget;
  /** Limit of one call of a target that is a function. */
  readonly targetTimeoutMs: number;
  readonly concurrency: number;
  readonly repetitions: number;
  readonly gate: Readonly<Record<string, unknown>> | null;
}

export interface EvaluationRun {
  readonly api: HttpApi;
  /** The error for an invalid gate, or an item or output that the server rejected. */
  readonly fail: (message: string) => Error;
  readonly signal?: AbortSignal | undefined;
  /** One line about the progress. */
  readonly onStatus?: ((line: string) => void) | undefined;
  /** A client that `signal` does not stop. It cancels the experiment after a failure. */
  readonly cancelApi: HttpApi;
}

/** Outputs and characters of one request, and the poll interval for the experiment. */
const outputsAtOnce = 50;
const charsAtOnce = 2_000_000;
const pollMs = 500;

/**
 * Stores the items, starts the experiment, sends the outputs, waits for the verdicts, and requests
 * the gate's result. If that fails after the start, the experiment is cancelled.
 *
 * @throws errors of the API and of `fail`
 */
export async function runEvaluation(
  plan: EvaluationPlan,
  run: EvaluationRun,
): Promise<EvaluationResult> {
  const { api } = run;
  const { target, gate } = plan;
  await checkPlan(plan, run);
  const [slug = ''] = plan.dataset.split('@');
  const dataset = plan.items === null ? plan.dataset : await storeItems(slug, plan.items, run);
  const started = await startExperiment(run, {
    ...plan.request,
    dataset,
    target: typeof target === 'function' ? { type: 'outputs' } : target,
  });
  const id = String(started.id);
  try {
    if (typeof target === 'function') await sendOutputs({ plan, run, id, target });
    const experiment = await followExperiment(run, id);
    return {
      id,
      url: String(started.url),
      experiment,
      gate: gate === null ? null : await requestGate(api, id, gate),
    };
  } catch (error) {
    await cancelExperiment(run, id).catch(() => undefined);
    throw error;
  }
}

/**
 * If the signal stops the request, the experiment may have been started nevertheless: repeating the
 * same request returns its id.
 */
async function startExperiment(run: EvaluationRun, request: object): ReturnType<HttpApi['call']> {
  const call = {
    body: JSON.stringify(request),
    // A repeated request does not start a second experiment.
    headers: { 'idempotency-key': newUuid() },
  };
  try {
    return await run.api.call('/v1/experiments', call);
  } catch (error) {
    if (run.signal?.aborted === true)
      await run.cancelApi
        .call('/v1/experiments', call)
        .then(({ id }) => cancelExperiment(run, String(id)))
        .catch(() => undefined);
    throw error;
  }
}

const cancelExperiment = ({ cancelApi }: EvaluationRun, id: string): Promise<unknown> =>
  cancelApi.call(`/v1/experiments/${id}/cancel`, { method: 'POST' });

/** Finds faults before anything is stored. */
async function checkPlan(
  { items, gate, request, dataset }: EvaluationPlan,
  { api, fail }: EvaluationRun,
): Promise<void> {
  if (items?.count === 0) throw fail(`${items.label} has no items`);
  if (gate === null) return;
  const verifiers = Array.isArray(request.verifiers) ? request.verifiers.map(String) : [];
  checkGate(gate, verifiers, fail);
  await checkBaseline(api, { gate, dataset }, fail);
}

interface Sending {
  readonly plan: EvaluationPlan;
  readonly run: EvaluationRun;
  readonly id: string;
  readonly target: EvaluationTarget;
}

/** Calls the target for each item and repetition, and sends the outputs as they arrive. */
async function sendOutputs({ plan, run, id, target }: Sending): Promise<void> {
  const { api, fail, signal } = run;
  const head = await api.call(`/v1/experiments/${id}`);
  const items = await listItems(api, String(head.dataset), plan.request.split);
  const rows = Array.from({ length: plan.repetitions }, (_, n) => n + 1).flatMap((repetition) =>
    items.map((item) => ({ item, repetition })),
  );
  const total = rows.length;
  let ready: { readonly text: string; readonly place: string }[] = [];
  let chars = 0;
  let done = 0;
  const send = async (): Promise<void> => {
    const outputs = ready;
    [ready, chars] = [[], 0];
    if (outputs.length === 0) return;
    const body = `{"outputs":[${outputs.map(({ text }) => text).join(',')}]}`;
    const { rejected } = await api.call(`/v1/experiments/${id}/outputs`, { body });
    const named = rejectedText(rejected, (index) => outputs[index]?.place ?? 'an item');
    if (named !== null) throw fail(`outputs of the target: ${named}`);
  };
  const work = async (): Promise<void> => {
    for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
      const { item, repetition } = row;
      const answer = await answerItem(target, item, { timeoutMs: plan.targetTimeoutMs, signal });
      if (signal?.aborted === true) throw fail('the evaluation was stopped');
      const text = JSON.stringify({ item_id: item.id, repetition, ...answer });
      ready.push({ text, place: `item ${item.id}` });
      chars += text.length;
      run.onStatus?.(`${++done} of ${total} outputs`);
      if (ready.length >= outputsAtOnce || chars >= charsAtOnce) await send();
    }
  };
  await Promise.all(
    Array.from({ length: plan.concurrency }, () =>
      work().catch((error: unknown) => {
        // The other workers end after their current item.
        rows.length = 0;
        throw error;
      }),
    ),
  );
  await send();
  await api.call(`/v1/experiments/${id}/finish`, { body: '{}' });
}

async function listItems(
  api: HttpApi,
  dataset: string,
  split: unknown,
): Promise<(EvaluationItem & { readonly reference?: unknown })[]> {
  const [slug = '', version = ''] = dataset.split('@');
  const items: EvaluationItem[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await api.call(
      `/v1/datasets/${encodeURIComponent(slug)}/versions/${version}/items`,
      { query: { limit: 200, cursor, split: typeof split === 'string' ? split : undefined } },
    );
    const data = Array.isArray(page.data) ? (page.data as EvaluationItem[]) : [];
    // Held-out items are used only when they are named.
    items.push(...data.filter((item) => typeof split === 'string' || item.split !== 'held_out'));
    if (typeof page.next_cursor !== 'string') return items;
    cursor = page.next_cursor;
  }
}

async function followExperiment(
  { api, onStatus, signal }: EvaluationRun,
  id: string,
): Promise<ExperimentResult> {
  for (;;) {
    // The server validates the shape.
    const experiment = (await api.call(`/v1/experiments/${id}`)) as unknown as ExperimentResult;
    if (experiment.state !== 'running' && experiment.state !== 'open') return experiment;
    onStatus?.(`${experiment.progress.done} of ${experiment.progress.total} answers`);
    await pause(pollMs, signal);
  }
}

const requestGate = async (
  api: HttpApi,
  id: string,
  gate: Readonly<Record<string, unknown>>,
): Promise<ExperimentGateResult> =>
  (await api.call(`/v1/experiments/${id}/gate`, {
    body: JSON.stringify(gate),
  })) as unknown as ExperimentGateResult;
