import { reportFigure } from '../figures';
import { readLoad, type Child, describeProcesses } from '../processes';
import { timeFactor } from '../time-factor';
import { createRandom, type Random, randomOf } from '../seed';
import { type Extent, startProgress } from './extent';
import { FUZZ_STALL_MS } from './fuzz';
import type { SentRequest } from './mutate-request';
import type { HttpAnswer } from './send';

/** Random inputs for a running process that `watch-loop.mjs` watches. */
export interface Campaign<T> {
  readonly name: string;
  readonly process: Child;
  readonly extent: Extent;
  /** Creates the nth input; the same random numbers create the same input. */
  readonly make: (random: Random, nth: number) => T;
  /** Sends it. @returns the fault of the answer; null if none */
  readonly run: (input: T) => Promise<string | null>;
  readonly show: (input: T) => string;
}

const AT_ONCE = 8;
const BATCH = 64;
/** Heap that caches and pools of a process may still fill after the first third of a run. */
const GROWTH_BYTES = 64 * 1024 * 1024;
const MAX_FAULTS = 20;

/**
 * Sends random inputs, and collects faults of the answers and inputs that block the event loop each
 * time that they are sent alone. `ASSAY_SEED` replays a run.
 * @throws Error naming the seed and all faults
 */
export async function runCampaign<T>(campaign: Campaign<T>): Promise<void> {
  const { name, process: child, extent, show } = campaign;
  const { seed } = createRandom(name);
  const progress = startProgress(extent);
  const faults: string[] = [];
  let sent = 0;
  let longestMs = 0;
  let firstHeap: number | null = null;
  await readLoad(child);
  while (progress(sent) < 1 && faults.length < MAX_FAULTS) {
    const first = sent;
    const inputs = Array.from({ length: BATCH }, (_, at) =>
      campaign.make(randomOf(seed, first + at), first + at),
    );
    sent += inputs.length;
    for (const { at, why } of await runBatch(campaign, inputs))
      faults.push(`input ${first + at}: ${why}\n  ${show(inputs[at] as T)}`);
    const slow = await findSlow(campaign, inputs);
    longestMs = Math.max(longestMs, slow.longestMs);
    faults.push(...slow.faults);
    if (firstHeap === null && progress(sent) > 1 / 3) firstHeap = await heapOf(child);
  }
  const grown = (await heapOf(child)) - (firstHeap ?? 0);
  reportFigure(name, {
    seed,
    inputs: sent,
    'longest ms': Math.round(longestMs * 10) / 10,
    'heap growth MB': firstHeap === null ? 'unknown' : Math.round(grown / 1e5) / 10,
  });
  if (firstHeap !== null && grown > GROWTH_BYTES) faults.push(`the heap grew by ${grown} bytes`);
  if (faults.length > 0)
    throw new Error(
      `seed ${seed}:\n${faults.map((fault) => fault.slice(0, 2_000)).join('\n')}\n${describeProcesses()}`,
    );
}

async function heapOf(child: Child): Promise<number> {
  const { heapBytes } = await readLoad(child, true);
  // The collection itself is not a stall of an input.
  await readLoad(child);
  return heapBytes;
}

async function runBatch<T>(
  { run }: Campaign<T>,
  inputs: readonly T[],
): Promise<{ at: number; why: string }[]> {
  const found: { at: number; why: string }[] = [];
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < inputs.length) {
      const at = next++;
      const why = await run(inputs[at] as T).catch((error: unknown) => String(error));
      if (why !== null) found.push({ at, why });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return found;
}

/** The inputs of a batch that block the event loop each of three times. */
async function findSlow<T>(
  { process: child, run, show }: Campaign<T>,
  inputs: readonly T[],
): Promise<{ longestMs: number; faults: string[] }> {
  const limitMs = timeFactor * FUZZ_STALL_MS;
  const { stallMs } = await readLoad(child);
  if (stallMs < limitMs) return { longestMs: stallMs, faults: [] };
  let longestMs = 0;
  const faults: string[] = [];
  for (const input of inputs) {
    let min = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 3 && min >= limitMs; tries++) {
      await run(input).catch(() => null);
      min = Math.min(min, (await readLoad(child)).stallMs);
    }
    longestMs = Math.max(longestMs, min);
    if (min >= limitMs) faults.push(`blocks the event loop for ${min} ms: ${show(input)}`);
  }
  return { longestMs, faults };
}

/** The API's own refusal, those of model APIs, and Ollama's, whose error is a text. */
interface Refusal {
  readonly error?: string | { readonly message?: unknown };
  readonly message?: unknown;
}

const internals =
  /node_modules|\.ts:\d+|\.js:\d+|\n\s+at |PostgresError|ECONN|\[object |\b(is|of) undefined|undefined is not/;

/** Whether a request contains, or may contain, a word that an answer could repeat. */
function mayContain({ path, headers, body }: SentRequest, word: string): boolean {
  const isCompressed = headers['content-encoding'] !== undefined;
  return isCompressed || path.includes(word) || body?.includes(word) === true;
}

/**
 * The fault of an answer of the API: a server error other than "unavailable", a refusal that is not
 * a JSON error with a message, or a message that shows internals. Null if none.
 */
export function faultOf(
  { status, headers, body }: HttpAnswer,
  { sent, isJsonRoute }: { readonly sent: SentRequest; readonly isJsonRoute: boolean },
): string | null {
  const text = body.toString('utf8');
  const shown = (): string => `${status} ${String(headers['content-type'])}: ${text.slice(0, 400)}`;
  if (status >= 500 && (status !== 503 || headers['retry-after'] === undefined)) return shown();
  const isJson = /^application\/(problem\+)?json/.test(String(headers['content-type']));
  if (isJson && body.length > 0) {
    try {
      JSON.parse(text);
    } catch {
      return `not JSON: ${shown()}`;
    }
  }
  if (status < 400 || !isJsonRoute) return null;
  if (!isJson) return `not JSON: ${shown()}`;
  const { error, message: topMessage } = JSON.parse(text) as Refusal;
  const message = typeof error === 'string' ? error : (error?.message ?? topMessage);
  if (typeof message !== 'string' || message.length < 8) return `names no problem: ${shown()}`;
  const showsInternals =
    internals.test(message) || (/\bundefined\b/.test(message) && !mayContain(sent, 'undefined'));
  return showsInternals ? `shows internals: ${shown()}` : null;
}
