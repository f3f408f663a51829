import { exitCodes } from './failure';
import type { Terminal } from './terminal';

/** The first SIGINT or SIGTERM aborts the signal; the second ends this process. */
export function stopOnSignals(terminal: Terminal): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(exitCodes.interrupted);
      terminal.err('Cancelling …');
      stop.abort();
    });
  }
  return stop.signal;
}
