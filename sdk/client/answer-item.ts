import type { EvaluationItem, EvaluationTarget } from './evaluation';
import { messageOf } from './post';

const maxErrorChars = 2000;

/**
 * Calls a target for one item, and measures its time with the monotonic clock. The reference stays
 * hidden from the target.
 *
 * @returns the members of an output, or `{error}` if the target failed, was too slow, or returned
 *   no JSON; all of them can be written as JSON
 */
export async function answerItem(
  target: EvaluationTarget,
  { reference: _hidden, ...item }: EvaluationItem & { readonly reference?: unknown },
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<Readonly<Record<string, unknown>>> {
  const began = performance.now();
  try {
    const answered = await withTimeout(
      (itemSignal) => target(item as EvaluationItem, { signal: itemSignal }),
      timeoutMs,
      signal,
    );
    const latencyMs = Math.round(performance.now() - began);
    const members = { latency_ms: latencyMs, ...shapeOf(answered) };
    // Members that JSON cannot express are omitted or throw an error.
    return 'output' in (JSON.parse(JSON.stringify(members)) as object)
      ? members
      : { error: 'the target returned nothing that JSON can express' };
  } catch (error) {
    const message = messageOf(error).slice(0, maxErrorChars);
    return { error: message === '' ? 'the target failed without a message' : message };
  }
}

/** Does not wait for a target that ignores its signal. */
async function withTimeout(
  work: (signal: AbortSignal) => unknown,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const stop = new AbortController();
  let end = (_error: Error): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    end = (error) => {
      reject(error);
      stop.abort(error);
    };
  });
  const onAbort = (): void => end(new Error('it was stopped'));
  const timer = setTimeout(() => end(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(stop.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    stopped.catch(() => undefined);
  }
}

/** An object with `output` may also have the other three; anything else is the output. */
function shapeOf(answered: unknown): Readonly<Record<string, unknown>> {
  if (typeof answered !== 'object' || answered === null || !('output' in answered))
    return { output: answered };
  const members = Object.entries(answered).filter(
    ([name, value]) =>
      ['output', 'tools', 'cost_usd', 'latency_ms'].includes(name) && value !== undefined,
  );
  return Object.fromEntries(members);
}
