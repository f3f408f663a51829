import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { quantileOf } from '../rounds';

/** One kind of request of the quiet tenant. */
export interface Probe {
  readonly name: string;
  send(n: number): {
    readonly url: string;
    readonly method: 'GET' | 'POST';
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
}

export interface Measured {
  readonly name: string;
  readonly count: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
}

/** Milliseconds between two requests of one probe: the tenant is quiet. */
const GAP_MS = 80;

/**
 * Sends each probe, one request at a time, for this long; measures the milliseconds until the
 * answer's last byte.
 */
export async function measure(
  probes: readonly Probe[],
  seconds: number,
): Promise<readonly Measured[]> {
  const dispatcher = new Agent({ connections: 1, keepAliveTimeout: 60_000 });
  const end = performance.now() + seconds * 1_000;
  const measured = await Promise.all(probes.map((probe) => measureOne(probe, dispatcher, end)));
  await dispatcher.close();
  return measured;
}

let sent = 0;

async function measureOne(probe: Probe, dispatcher: Agent, end: number): Promise<Measured> {
  const times: number[] = [];
  let failed = 0;
  while (performance.now() < end) {
    const { url, ...options } = probe.send(sent++);
    const began = performance.now();
    const { statusCode, body } = await request(url, { ...options, dispatcher });
    await body.dump();
    if (statusCode >= 300) failed++;
    times.push(performance.now() - began);
    await sleep(GAP_MS);
  }
  return {
    name: probe.name,
    count: times.length,
    failed,
    p50: quantileOf(times, 0.5),
    p99: quantileOf(times, 0.99),
  };
}
