import type { IntegrityDetail } from '../../domain';
import type { IntegritySubject } from '../../verifiers';
import type { Serve } from '../thread';
import type { CallSources, ScanQuestion } from './deps';
import { scanTurn } from './scan-turn';
import { createSourceCache, type SourceCache } from './source-cache';

/** A message to the thread: the sources of a call whose model is still working, or an answer. */
export type ScanOrder = { readonly kind: 'sources'; readonly call: CallSources } | AnswerOrder;

interface AnswerOrder {
  readonly kind: 'answer';
  /** Without a body, the sources sent before are used. */
  readonly question: Omit<ScanQuestion, 'body' | 'projectId'> & {
    readonly body: Uint8Array | null;
  };
}

/** The thread's reply to an answer. `missing`: its sources are not cached; send the body again. */
export interface ScanReport {
  readonly missing: boolean;
  /** Null if the scan returned no verdict, or failed with `problem`. */
  readonly detail: IntegrityDetail | null;
  readonly problem: string | null;
}

/**
 * Maximum number and bytes of requests whose sources wait to be parsed; a newer request evicts the
 * oldest.
 */
const WAITING_CALLS = 64;
const WAITING_BYTES = 64 * 1024 * 1024;
const SWEEP_MS = 60_000;

/** Scans answers first, because clients wait for them. */
export function serveFigureScans(): Serve<ScanOrder, ScanReport> {
  const cache = createSourceCache();
  const answers: { readonly order: AnswerOrder; readonly report: (report: ScanReport) => void }[] =
    [];
  const waiting = createWaitingCalls();
  let working = false;

  async function work(): Promise<void> {
    const next = answers.shift();
    if (next !== undefined) next.report(await answer(cache, waiting, next.order));
    else readAhead(cache, waiting.takeFirst());
    // Yields to the event loop, since an answer may have arrived.
    if (answers.length > 0 || waiting.size > 0) setImmediate(() => void work());
    else working = false;
  }

  setInterval(() => cache.sweep(), SWEEP_MS).unref();
  return (order, report) => {
    if (order.kind === 'answer') answers.push({ order, report });
    else waiting.push(order.call);
    if (working) return;
    working = true;
    setImmediate(() => void work());
  };
}

async function answer(
  cache: SourceCache,
  waiting: WaitingCalls,
  { question }: AnswerOrder,
): Promise<ScanReport> {
  const emptyReport = { missing: false, detail: null, problem: null };
  try {
    const { callId, body, allowUserFigures } = question;
    const call = waiting.take(callId) ?? (body === null ? null : { ...question, body });
    const sources: IntegritySubject | null = call === null ? cache.find(callId) : cache.put(call);
    if (sources === null) return { ...emptyReport, missing: true };
    return { ...emptyReport, detail: await scanTurn(sources, question, allowUserFigures) };
  } catch (error) {
    return { ...emptyReport, problem: error instanceof Error ? error.message : String(error) };
  }
}

function readAhead(cache: SourceCache, call: CallSources | null): void {
  try {
    if (call !== null) cache.put(call);
  } catch {
    // The scan of the answer reports the error.
  }
}

interface WaitingCalls {
  push(call: CallSources): void;
  take(callId: string): CallSources | null;
  takeFirst(): CallSources | null;
  readonly size: number;
}

function createWaitingCalls(): WaitingCalls {
  const calls = new Map<string, CallSources>();
  let bytes = 0;
  const take = (callId: string): CallSources | null => {
    const call = calls.get(callId) ?? null;
    bytes -= call?.body.byteLength ?? 0;
    calls.delete(callId);
    return call;
  };
  const takeFirst = (): CallSources | null => {
    const [first] = calls.keys();
    return first === undefined ? null : take(first);
  };
  return {
    take,
    takeFirst,
    push(call) {
      calls.set(call.callId, call);
      bytes += call.body.byteLength;
      while (calls.size > WAITING_CALLS || bytes > WAITING_BYTES) takeFirst();
    },
    get size() {
      return calls.size;
    },
  };
}
