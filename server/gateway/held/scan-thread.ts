import { parentPort } from 'node:worker_threads';
import type { IntegrityDetail } from '../../domain';
import type { ScanQuestion } from './deps';
import { scanTurn } from './scan-turn';

/** What goes to the thread, and what comes back; the answer of a scan that broke has a problem. */
export interface ScanOrder {
  readonly id: number;
  readonly question: ScanQuestion;
}
export interface ScanReport {
  readonly id: number;
  readonly detail: IntegrityDetail | null;
  readonly problem: string | null;
}

/** Scans what it is sent, in the thread that calls it: the end of a process's file where it is loaded as a thread. */
export function serveFigureScans(): void {
  const port = parentPort;
  if (port === null) throw new Error('figures are scanned for others in a thread only');
  port.on('message', (order: ScanOrder) => {
    void scanTurn(order.question).then(
      (detail) => port.postMessage({ id: order.id, detail, problem: null } satisfies ScanReport),
      (error: unknown) => {
        const problem = error instanceof Error ? error.message : String(error);
        port.postMessage({ id: order.id, detail: null, problem } satisfies ScanReport);
      },
    );
  });
}
