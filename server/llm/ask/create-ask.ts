import type { Ask, AskErrorClass, AskRequest, AskResult, AskUsage } from '../../domain';
import { type Ctx, sha256 } from '../../platform';
import { loadProviders } from '../providers/list';
import type { ProviderKind } from '../input';
import type { ProviderAccess } from '../providers/provider';
import { costOf } from '../registry/price';
import { sameModel } from '../registry/same-model';
import { isModelName, readModelSpec } from '../registry/spec';
import { type CallReport, callModel } from './call-model';
import type { Endpoints } from './endpoints';
import { ModelParameters } from './model';
import { recordCall } from './record';
import { type CallFault, callWithRetries } from './retry';

export interface AskFor {
  readonly projectId: string;
  /** The verdict that the calls are recorded under; null for a trial. */
  readonly verdictId: string | null;
}

type Answered = Exclude<CallReport, CallFault>;

/** A model of a provider of the project, ready to be called. */
interface Target {
  readonly provider: ProviderAccess;
  readonly apiKey: string | null;
  readonly model: string;
  readonly settings: ModelParameters;
}

/**
 * The one way to ask a model. Finds the provider, opens its key, keeps its pace, retries by class of error, and stores each HTTP call.
 * Temperature 0 unless the spec says otherwise; no tools. The reply's text comes back as it came: reading it is the judge's.
 * @throws on faults of storage only
 */
export function createAsk(ctx: Ctx, endpoints: Endpoints, target: AskFor): Ask {
  return async (request) => {
    const began = ctx.clock.monotonicMs();
    const tally = createTally(ctx, request, began);
    const found = findTarget(await loadProviders(ctx, target.projectId), request.model);
    if ('errorClass' in found) return tally.failed(null, found.errorClass, found.message, null);
    const key = { endpoint: endpointName(target.projectId, found.provider, found.apiKey), model: found.model };
    const limits = { key, deadlineAt: began + request.deadlineMs, signal: request.signal };
    let { settings } = found;
    const callOnce = async (attempt: number, leftMs: number): Promise<CallReport> => {
      const report = await callModel(ctx, { ...found, settings, request, timeoutMs: Math.ceil(leftMs) });
      const costUsd = tally.add(found, report);
      await keepRecord(ctx, { ...target, provider: found.provider.name, model: found.model, attempt, costUsd, request, report });
      return report;
    };
    const result = await callWithRetries<Answered>({ clock: ctx.clock, endpoints }, limits, async (attempt, leftMs) => {
      const report = await callOnce(attempt, leftMs);
      if (!refusesFormat(found.provider.kind, settings, report)) return report;
      settings = { ...settings, format: 'none' };
      return callOnce(attempt, Math.max(1, limits.deadlineAt - ctx.clock.monotonicMs()));
    });
    if (result.state === 'answered') return tally.answered(found, result.text);
    return tally.failed(found, result.errorClass, result.message, result.retryAfterMs);
  };
}

/** Some compatible servers know no `response_format`, or not this one: they are asked again without, and told in the prompt alone. */
function refusesFormat(kind: ProviderKind, { format }: ModelParameters, report: CallReport): boolean {
  const refused = report.state === 'failed' && (report.status === 400 || report.status === 422);
  return kind === 'openai_compatible' && format === 'json' && refused && (report.reply ?? '').includes('response_format');
}

/** The operator's provider is one endpoint for all projects; a key is not named by itself. */
function endpointName(projectId: string, provider: ProviderAccess, apiKey: string | null): string {
  const owner = provider.source === 'environment' ? '' : projectId;
  return `${owner} ${provider.name} ${provider.baseUrl} ${sha256(apiKey ?? '').slice(0, 16)}`;
}

/** An answer must not be lost because its record cannot be stored; whoever reads the log sees that one is missing. */
async function keepRecord(ctx: Ctx, record: Parameters<typeof recordCall>[1]): Promise<void> {
  try {
    await recordCall(ctx, record);
  } catch (error) {
    ctx.log.error(
      { err: error, provider: record.provider, model: record.model, costUsd: record.costUsd },
      'a call to a model was not recorded',
    );
  }
}

/**
 * Who is asked: the provider that the spec names, by name or else by kind; without one the first that lists the model, under this
 * spelling or another.
 */
function findTarget(
  providers: readonly ProviderAccess[],
  spec: string,
): Target | { readonly errorClass: AskErrorClass; readonly message: string } {
  const none = (message: string) => ({ errorClass: 'no_provider' as const, message });
  if (providers.length === 0) return none('no provider configured');
  const names = providers.map(({ name }) => name);
  const { provider: wanted, model, parameters } = readModelSpec(spec, names);
  if (!isModelName(model)) return { errorClass: 'refused', message: 'the model’s name is not valid' };
  const settings = ModelParameters.safeParse(Object.fromEntries(parameters));
  if (!settings.success)
    return { errorClass: 'refused', message: `the model’s parameters: ${settings.error.issues[0]?.path.join('.') ?? ''} is not valid` };
  const provider =
    wanted === null
      ? (providers.find(({ models }) => models.includes(model)) ??
        providers.find(({ models }) => models.some((each) => sameModel(each, model))))
      : (providers.find(({ name }) => name === wanted) ?? providers.find(({ kind }) => kind === wanted));
  if (provider === undefined) return none(`no provider has the model "${model}"`);
  try {
    return { provider, apiKey: provider.openKey(), model, settings: settings.data };
  } catch {
    return { errorClass: 'unauthorized', message: `the key of provider "${provider.name}" cannot be read: enter it again` };
  }
}

/** Adds up what the calls of one question took. */
function createTally(ctx: Ctx, request: AskRequest, began: number) {
  let calls = 0;
  let inputTokens = 0;
  let outputTokens = 0;
  let costUsd: number | null = 0;
  const usage = (found: Target | null): AskUsage => ({
    provider: found?.provider.name ?? null,
    model: found?.model ?? request.model,
    inputTokens,
    outputTokens,
    costUsd: calls === 0 ? 0 : costUsd,
    latencyMs: ctx.clock.monotonicMs() - began,
    calls,
  });
  return {
    /** US dollars for the call; null where the price or the tokens are not known. A call that failed is not billed. */
    add(found: Target, report: CallReport): number | null {
      const cost = callCost(found, report);
      calls++;
      inputTokens += report.inputTokens ?? 0;
      outputTokens += report.outputTokens ?? 0;
      costUsd = costUsd === null || cost === null ? null : costUsd + cost;
      return cost;
    },
    answered: (found: Target, text: string): AskResult => ({ state: 'answered', text, usage: usage(found) }),
    failed: (found: Target | null, errorClass: AskErrorClass, message: string, retryAfterMs: number | null): AskResult => ({
      state: 'failed',
      errorClass,
      message,
      retryAfterMs,
      usage: usage(found),
    }),
  };
}

function callCost({ provider, model }: Target, { state, inputTokens, outputTokens }: CallReport): number | null {
  if (inputTokens === null && outputTokens === null) return state === 'failed' ? 0 : null;
  return costOf(model, inputTokens ?? 0, outputTokens ?? 0, provider.prices.get(model) ?? null);
}
