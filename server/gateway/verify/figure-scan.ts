import type { Ctx } from '../../platform';
import { createThread, share, type StartThread, type Thread } from '../thread';
import type { CallSources, ScanFigures, ScanQuestion, Scanned } from './deps';
import type { ScanOrder, ScanReport } from './scan-thread';
import { readSources, scanTurn, scanSubject } from './scan-turn';

/**
 * Bytes of request and answer that are scanned on the event loop, in about a millisecond. Larger
 * scans go to the thread, so that the deadline is met.
 */
const INLINE_BYTES = 8 * 1024;
/** Answers that may wait for the thread: in total, per project, and in bytes. */
const WAITING_MAX = 64;
const PROJECT_WAITING_MAX = 32;
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** A longer scan terminates the thread; its answer was delivered long before. */
const SCAN_MAX_MS = 10_000;

type Log = Pick<Ctx, 'log'>;

export interface FigureScan {
  /** Scans within a deadline in milliseconds. */
  readonly scan: ScanFigures;
  /**
   * Parses the sources of a call while its model is working, so that only the answer's figures
   * remain to be scanned. Copies the body; never throws. Sources that are not ready are parsed with
   * the answer.
   */
  readonly readAhead: (call: CallSources) => void;
}

/**
 * Scans buffered answers: small ones at once, large ones in a thread. The thread starts now,
 * because starting takes a second, and scans during that second would be late. `startThread` null
 * if no thread is available, and everything is scanned on the event loop.
 */
export function createFigureScan(ctx: Log, startThread: StartThread | null): FigureScan {
  if (startThread === null)
    return { scan: (question) => scanInline(ctx, question), readAhead: () => undefined };
  const thread = createThread<ScanOrder, ScanReport>(ctx, () => startThread('figures'));
  thread.start();
  const limit = createWaitingLimit();
  return {
    async scan(question, deadlineMs) {
      try {
        const bytes = bytesOf(question);
        if (bytes <= INLINE_BYTES) return await scanInline(ctx, question);
        const leave = limit.enter(question.projectId, bytes);
        if (leave === null) return { state: 'busy' };
        return await scanInThread(ctx, deadlineMs, awaitReport(thread, question).finally(leave));
      } catch (error) {
        ctx.log.error({ err: error }, 'figures could not be scanned');
        return { state: 'broken' };
      }
    },
    readAhead(call) {
      try {
        if (call.body.byteLength <= INLINE_BYTES) return;
        thread.send({ kind: 'sources', call: { ...call, body: share([call.body]) } });
      } catch (error) {
        ctx.log.error({ err: error }, 'sources could not be read ahead');
      }
    },
  };
}

interface WaitingLimit {
  /** @returns a function to call at the end; null if the limit is reached */
  enter(projectId: string, bytes: number): (() => void) | null;
}

function createWaitingLimit(): WaitingLimit {
  const byProject = new Map<string, number>();
  let count = 0;
  let waitingBytes = 0;
  return {
    enter(projectId, bytes) {
      const ofProject = byProject.get(projectId) ?? 0;
      const isFull =
        count >= WAITING_MAX || (count > 0 && waitingBytes + bytes > WAITING_BYTES_MAX);
      if (isFull || ofProject >= PROJECT_WAITING_MAX) return null;
      byProject.set(projectId, ofProject + 1);
      count++;
      waitingBytes += bytes;
      return () => {
        const left = (byProject.get(projectId) ?? 1) - 1;
        if (left === 0) byProject.delete(projectId);
        else byProject.set(projectId, left);
        count--;
        waitingBytes -= bytes;
      };
    },
  };
}

function bytesOf({ body, output, envelope }: ScanQuestion): number {
  return body.byteLength + output.length + (envelope?.length ?? 0);
}

async function scanInline({ log }: Log, question: ScanQuestion): Promise<Scanned> {
  try {
    const sources = scanSubject(readSources(question), question.allowUserFigures);
    return asScanned(await scanTurn(sources, question, question.allowUserFigures));
  } catch (error) {
    log.error({ err: error }, 'the scan of a buffered answer failed');
    return { state: 'broken' };
  }
}

async function scanInThread(
  ctx: Log,
  deadlineMs: number,
  report: Promise<ScanReport | null>,
): Promise<Scanned> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Scanned>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'late' }), deadlineMs);
  });
  const scanned = report.then((report): Scanned => {
    if (report?.problem != null)
      ctx.log.error({ problem: report.problem }, 'the scan of a buffered answer failed');
    return asScanned(report?.detail ?? null);
  });
  try {
    return await Promise.race([scanned, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function awaitReport(
  thread: Thread<ScanOrder, ScanReport>,
  question: ScanQuestion,
): Promise<ScanReport | null> {
  const {
    callId,
    dialect,
    allowUserFigures,
    sources,
    derivedCountsAsSourced,
    output,
    envelope,
    repromptUsed,
  } = question;
  const known = {
    callId,
    dialect,
    allowUserFigures,
    sources,
    derivedCountsAsSourced,
    output,
    envelope,
    repromptUsed,
  };
  const report = await thread.ask(
    { kind: 'answer', question: { ...known, body: null } },
    SCAN_MAX_MS,
  );
  if (report?.missing !== true) return report;
  const body = share([question.body]);
  return thread.ask({ kind: 'answer', question: { ...known, body } }, SCAN_MAX_MS);
}

function asScanned(detail: ScanReport['detail']): Scanned {
  return detail === null ? { state: 'broken' } : { state: 'done', detail };
}
