import type {
  EvaluationResult,
  EvaluationTarget,
  ExperimentGate,
  ExperimentGateResult,
  NewEvaluationItem,
  RemoteTarget,
} from './evaluation';
import { createHttpApi, type HttpApi } from './http-api';
import { type AssayOptions, readOptions, type Settings } from './options';
import type { EvaluationPlan } from './run-evaluation';
import { AssayError } from './verify';

type ConnectionOptions = Pick<AssayOptions, 'url' | 'key' | 'requestTimeoutMs' | 'fetch'>;

export interface EvaluateOptions<Input = unknown> extends ConnectionOptions {
  /** A slug, or a slug and a version such as `refunds@3`. */
  readonly dataset: string;
  /** Items that become the latest version of the dataset, which is created if it is new. */
  readonly items?: readonly NewEvaluationItem<Input>[] | undefined;
  /** Only items of this split; without it, all except held-out ones. */
  readonly split?: string | undefined;
  readonly target: EvaluationTarget<Input> | RemoteTarget;
  /** Names of verifiers that read turns. */
  readonly verifiers: readonly string[];
  readonly gate?: ExperimentGate | undefined;
  /** Calls of the target per item: 1 (default) to 100. */
  readonly repetitions?: number | undefined;
  /** Calls of the target at a time: 4 (default), at most 64. */
  readonly concurrency?: number | undefined;
  /** Limit of one call of a target that is a function (120,000 ms). */
  readonly targetTimeoutMs?: number | undefined;
  /** Default: the dataset's. */
  readonly name?: string | undefined;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  /** The id of the experiment that this one is compared with by default. */
  readonly baseline?: string | undefined;
  /** Maximum cost of the target and the judges. */
  readonly budgetUsd?: number | undefined;
  /**
   * Stops the evaluation, and cancels its experiment; `AbortSignal.timeout(ms)` limits its time.
   */
  readonly signal?: AbortSignal | undefined;
}

const optionNames = [
  'url',
  'key',
  'requestTimeoutMs',
  'fetch',
  'dataset',
  'items',
  'split',
  'target',
  'verifiers',
  'gate',
  'repetitions',
  'concurrency',
  'targetTimeoutMs',
  'name',
  'branch',
  'commit',
  'baseline',
  'budgetUsd',
  'signal',
] as const satisfies readonly (keyof EvaluateOptions)[];

/**
 * Runs a target over a dataset, as an experiment, and waits for its verdicts and its gate. Scopes
 * of the key: `verify` and `read`, and `write` with items. A target that throws results in a failed
 * row.
 *
 * @throws AssayError with the code `invalid` (an option, an item or an output, which the message
 * names), `misconfigured`, `aborted`, `unreachable`, or the server's code
 */
export async function evaluate<Input = unknown>(
  options: EvaluateOptions<Input> & { readonly gate: ExperimentGate },
): Promise<EvaluationResult & { readonly gate: ExperimentGateResult }>;
export async function evaluate<Input = unknown>(
  options: EvaluateOptions<Input>,
): Promise<EvaluationResult>;
export async function evaluate(options: EvaluateOptions): Promise<EvaluationResult> {
  const plan = readPlan(options);
  const settings = readOptions(options);
  if (settings.misconfigured !== null) throw errorOf('misconfigured', settings.misconfigured);
  const { signal } = options;
  const isStopped = (): boolean => signal?.aborted ?? false;
  if (isStopped()) throw stopped();
  // Loaded when it is needed: a host that only records does not pay for it.
  const { runEvaluation } = await import('./run-evaluation');
  try {
    return await runEvaluation(plan, {
      api: apiOf(settings, { signal }),
      signal,
      fail: (message) => errorOf('invalid', message),
      cancelApi: apiOf(settings, { retryForMs: 5_000 }),
    });
  } catch (error) {
    throw isStopped() ? stopped() : error;
  }
}

const errorOf = (code: string, message: string): AssayError =>
  new AssayError({ code, message, status: null });

const stopped = (): AssayError =>
  errorOf('aborted', 'the evaluation was stopped by its signal; its experiment is cancelled');

const apiOf = (
  settings: Settings,
  limits: { readonly signal?: AbortSignal | undefined; readonly retryForMs?: number },
): HttpApi =>
  createHttpApi(settings, {
    ...limits,
    urlSetting: 'the option `url` or ASSAY_URL',
    fail: (failure) => new AssayError(failure),
  });

/** @throws AssayError with the option and its fix; the server checks the rest */
function readPlan(options: EvaluateOptions): EvaluationPlan {
  const unknown = Object.keys(options).find((name) => !optionNames.some((each) => each === name));
  if (unknown !== undefined)
    throw errorOf(
      'invalid',
      `${unknown}: is not an option of evaluate; the options are ${optionNames.join(', ')}`,
    );
  const { dataset, items, target, verifiers, gate, split, name, branch, commit, baseline } =
    options;
  const check = (isValid: boolean, message: string): void => {
    if (!isValid) throw errorOf('invalid', message);
  };
  check(
    typeof dataset === 'string' && dataset !== '',
    'dataset: is required; name one, such as refunds or refunds@3',
  );
  check(items === undefined || Array.isArray(items), 'items: must be an array of items');
  check(
    items === undefined || !dataset.includes('@'),
    'dataset: must have no version if there are items, which become its latest one',
  );
  check(
    typeof target === 'function' ||
      (typeof target === 'object' && target !== null && typeof target.type === 'string'),
    'target: is required: a function of an item, or an object with the type prompt or http',
  );
  check(
    Array.isArray(verifiers) && verifiers.length > 0,
    "verifiers: is required, an array of names such as ['integrity']",
  );
  check(
    gate === undefined || (typeof gate === 'object' && gate !== null),
    'gate: must be an object with min_pass_rate, no_regression_against or max_cost_usd',
  );
  const repetitions = countOf(options, 'repetitions', 1, 100);
  const concurrency = countOf(options, 'concurrency', 4, 64);
  const request = { split, repetitions, verifiers, concurrency, branch, commit, baseline };
  return {
    dataset,
    items:
      items === undefined
        ? null
        : {
            text: itemsText(items),
            contentType: 'application/json',
            label: 'items',
            count: items.length,
            place: (index) => `item ${index + 1}`,
          },
    request: { ...request, name: name ?? dataset, budget_usd: options.budgetUsd },
    target,
    targetTimeoutMs: countOf(options, 'targetTimeoutMs', 120_000, 3_600_000),
    concurrency,
    repetitions,
    gate: gate === undefined ? null : { ...gate },
  };
}

function itemsText(items: readonly unknown[]): string {
  try {
    return JSON.stringify({ items });
  } catch (error) {
    throw errorOf('invalid', `items: cannot be written as JSON: ${String(error)}`);
  }
}

function countOf(
  options: EvaluateOptions,
  name: 'repetitions' | 'concurrency' | 'targetTimeoutMs',
  otherwise: number,
  max: number,
): number {
  const configured = options[name] ?? otherwise;
  if (Number.isInteger(configured) && configured >= 1 && configured <= max) return configured;
  throw errorOf('invalid', `${name}: must be a whole number from 1 to ${max}`);
}
