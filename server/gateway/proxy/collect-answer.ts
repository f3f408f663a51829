import type { CallUpstream, ExchangeRequest } from '../exchange';
import { answerHead } from './headers';
import type { Forward, UpstreamHandler } from './forward';
import { problemOf } from './problem';
import { readRetryAfterMs } from './retry-after';
import type { Upstream } from './upstreams';

type Call = Parameters<CallUpstream>[0];
type Outcome = Awaited<ReturnType<CallUpstream>>;

/** Sends the request again with another body and collects the answer. Never throws. */
export function collectAnswer(
  upstream: () => Upstream,
  dispatch: Forward['dispatch'],
  request: ExchangeRequest,
  call: Call,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const { signal, maxBytes } = call;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let contentType = '';
    let retryAfter: number | null = null;
    let stop: ((error?: Error) => void) | null = null;
    const end = (outcome: Outcome): void => {
      signal.removeEventListener('abort', leave);
      resolve(outcome);
      stop = null;
    };
    const fail = (problem: (Outcome & { state: 'failed' })['problem'], message: string): void => {
      const abort = stop;
      end({ state: 'failed', problem, message });
      abort?.();
    };
    const leave = (): void => fail('aborted', 'given up');
    const handler: UpstreamHandler = {
      onConnect(abort) {
        if (signal.aborted) abort();
        else stop = abort;
      },
      onHeaders(code, headers, _resume, statusText) {
        status = code;
        const head = answerHead(code, statusText, headers);
        contentType = head.contentType;
        retryAfter = readRetryAfterMs(head.headers, new Date());
        return true;
      },
      onData(chunk) {
        bytes += chunk.length;
        if (bytes > maxBytes) fail('too_large', `the answer has more than ${maxBytes} bytes`);
        else chunks.push(chunk);
        return true;
      },
      onComplete: () =>
        end({ state: 'answered', status, contentType, chunks, retryAfterMs: retryAfter }),
      onError(error) {
        const { kind, message } = problemOf(error);
        end({ state: 'failed', problem: kind === 'timeout' ? 'timeout' : 'reset', message });
      },
    };
    if (signal.aborted) {
      leave();
      return;
    }
    signal.addEventListener('abort', leave, { once: true });
    try {
      dispatch(
        upstream(),
        { method: 'POST', path: request.path, headers: request.headers, body: call.body },
        handler,
      );
    } catch (error) {
      fail('reset', error instanceof Error ? error.message : String(error));
    }
  });
}
