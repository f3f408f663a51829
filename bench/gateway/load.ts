import { treeCpuSeconds } from '../cpu';
import { quantileOf } from '../rounds';
import type { Side } from './setup';
import { openWire, type WireReply } from './wire-client';

export interface Calls {
  readonly side: Side;
  /** A complete HTTP message, or one for each connection, which is then a separate session. */
  readonly request: Buffer | readonly Buffer[];
  readonly calls: number;
  readonly connections?: number;
  /** The expected body of each answer; for sides that are not exact, only the status is checked. */
  readonly expected: Buffer;
  /** The number of HTTP chunks that the upstream sends; with fewer, chunks were merged. */
  readonly chunks?: number;
  /** Called with each correct reply. */
  readonly onReply?: (reply: WireReply) => void;
  readonly keepsArrivals?: boolean;
}

/** A type and not an interface, so that it is also a record of figures. */
export type CallMeasures = {
  readonly p50Us: number;
  readonly p99Us: number;
  /** To the first byte of the body. */
  readonly firstUs: number;
  readonly firstP99Us: number;
  /** Calls per second. */
  readonly rate: number;
  /**
   * Processor microseconds per call while calls are served, including the other work of the
   * process.
   */
  readonly cpuUs: number;
  /** The same, including background work after the answers. */
  readonly allCpuUs: number;
};

/**
 * Sends calls over keep-alive sockets, each waiting for its answer.
 * @throws Error for a wrong answer, which voids the run
 */
export async function measureCalls(load: Calls): Promise<CallMeasures> {
  const { side, calls, connections = 1 } = load;
  const wires = await Promise.all(Array.from({ length: connections }, () => openWire(side.port)));
  const times = new Float64Array(calls);
  const firsts = new Float64Array(calls);
  const ask = {
    expected: side.isExact ? load.expected : undefined,
    keepsArrivals: load.keepsArrivals === true,
  };
  let sent = 0;
  const cpuBefore = treeCpuSeconds(side.pid);
  const began = performance.now();
  await Promise.all(
    wires.map(async (wire, at) => {
      const request = Buffer.isBuffer(load.request)
        ? load.request
        : (load.request[at] ?? Buffer.alloc(0));
      for (let n = sent++; n < calls; n = sent++) {
        const reply = await wire.send({ ...ask, request });
        requireCorrect(load, reply);
        times[n] = reply.totalMs;
        firsts[n] = reply.firstMs;
        load.onReply?.(reply);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = treeCpuSeconds(side.pid) - cpuBefore;
  for (const wire of wires) wire.close();
  await side.settle(calls);
  const allCpuSeconds = treeCpuSeconds(side.pid) - cpuBefore;
  const us = (values: Float64Array, at: number): number => quantileOf([...values], at) * 1000;
  return {
    p50Us: us(times, 0.5),
    p99Us: us(times, 0.99),
    firstUs: us(firsts, 0.5),
    firstP99Us: us(firsts, 0.99),
    rate: calls / seconds,
    cpuUs: (cpuSeconds / calls) * 1e6,
    allCpuUs: (allCpuSeconds / calls) * 1e6,
  };
}

function requireCorrect({ side, expected, chunks }: Calls, reply: WireReply): void {
  const summary = `${side.name}: status ${reply.status}, ${reply.bytes} bytes for ${expected.length} in ${reply.chunks} chunks`;
  if (reply.status !== 200 || reply.bytes === 0) throw new Error(`void: ${summary}; ${reply.head}`);
  if (!reply.same) throw new Error(`void: other bytes than the upstream's; ${summary}`);
  if (side.isExact && chunks !== undefined && reply.chunks < chunks)
    throw new Error(`void: chunks were merged; ${summary}`);
}

/** The latency that a side adds to a direct call, round by round. */
export function addedLatency(latencies: readonly number[], direct: readonly number[]): number[] {
  return latencies.map((value, round) => value - (direct[round] ?? Number.NaN));
}
