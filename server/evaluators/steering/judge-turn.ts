import { type Ask, type AskResult, type AskUsage, cleanText, type JudgeCall } from '../../domain';
import { composeTurn, type TurnQuestion } from './compose-turn';
import { readSteering } from './read-steering';

/** The model that judges a turn, and its time limits. */
export interface JudgeTurnOptions {
  /** `provider:model?temperature=0.3`. */
  readonly model: string;
  /** Time limit of each call, until its reply is complete. */
  readonly deadlineMs: number;
  /** Time limit of each call until its first token (QV-36); applies to streamed replies. */
  readonly firstTokenMs: number;
  readonly signal: AbortSignal;
  /** For the record of the calls. */
  readonly purpose: string;
}

const OUTPUT_TOKENS = 2_000;
/** The default if no usable time was set (QV-36). */
const FIRST_TOKEN_MS = 30_000;
const PROBLEM_CHARS_MAX = 500;

/**
 * Lets a verifier judge an answer: one call, and if the reply is unreadable one more that includes
 * the reason (QV-20). Any problem results in `verifier_failed` with the problem, never a pass
 * (QV-25, X-3). Never throws for errors of the verifier or its provider.
 */
export async function judgeTurn(
  question: TurnQuestion,
  options: JudgeTurnOptions,
  ask: Ask,
): Promise<JudgeCall> {
  const { version } = question.prompts.verifier;
  const askOnce = (composed: ReturnType<typeof composeTurn>): Promise<AskResult> =>
    ask({
      ...composed,
      model: options.model,
      reply: null,
      maxOutputTokens: OUTPUT_TOKENS,
      deadlineMs: options.deadlineMs,
      firstTokenMs:
        options.firstTokenMs > 0 && Number.isFinite(options.firstTokenMs)
          ? options.firstTokenMs
          : FIRST_TOKEN_MS,
      signal: options.signal,
      purpose: options.purpose,
      promptVersion: version,
    });
  const first = await askOnce(composeTurn(question));
  if (first.state === 'failed') return failed(version, [first.usage], problemOf(first));
  const read = readSteering(first.text);
  if (read.state !== 'malformed') return judgeCallOf(version, [first.usage], read);
  const second = await askOnce(composeTurn(question, { text: first.text, reason: read.reason }));
  const usages = [first.usage, second.usage];
  if (second.state === 'failed') return failed(version, usages, problemOf(second));
  const again = readSteering(second.text);
  if (again.state === 'malformed')
    return failed(version, usages, `no reply that can be read in two calls: ${again.reason}`);
  return judgeCallOf(version, usages, again);
}

function problemOf({ errorClass, message }: Extract<AskResult, { state: 'failed' }>): string {
  return `${errorClass}: ${message}`;
}

function judgeCallOf(
  version: string,
  usages: readonly AskUsage[],
  read: { readonly state: 'pass' } | { readonly state: 'steer'; readonly note: string },
): JudgeCall {
  const note = read.state === 'steer' ? cleanText(read.note).text : null;
  return { decision: read.state, note, problem: null, ...spent(version, usages) };
}

function failed(version: string, usages: readonly AskUsage[], problem: string): JudgeCall {
  const words = cleanText(problem).text.slice(0, PROBLEM_CHARS_MAX).toWellFormed();
  return { decision: 'verifier_failed', note: null, problem: words, ...spent(version, usages) };
}

/** The total of all calls; a call counts as one, no matter how often its provider retried it. */
function spent(version: string, usages: readonly AskUsage[]) {
  const last = usages.at(-1);
  const priced = usages.every(({ costUsd, calls }) => costUsd !== null || calls === 0);
  return {
    calls: usages.filter(({ calls }) => calls > 0).length,
    model:
      last === undefined || last.model === ''
        ? null
        : last.provider === null
          ? last.model
          : `${last.provider}/${last.model}`,
    prompt_version: version,
    input_tokens: sum(usages, ({ inputTokens }) => inputTokens),
    output_tokens: sum(usages, ({ outputTokens }) => outputTokens),
    cost_usd: priced ? sum(usages, ({ costUsd }) => costUsd ?? 0) : null,
    latency_ms: sum(usages, ({ latencyMs }) => latencyMs),
  };
}

function sum(usages: readonly AskUsage[], of: (usage: AskUsage) => number): number {
  return usages.reduce((total, usage) => total + of(usage), 0);
}
