import { loadavg } from 'node:os';
import { gzipSync } from 'node:zlib';
import { contentTypes, exportOf, type OtlpFormat, otlpFormats, sampleSpans } from './otlp';
import { memoryOf } from './span-call';
import type { Child } from './processes';

/**
 * Load on the OTLP endpoint. Requests are built beforehand, so that the client uses as little
 * processor time as possible during the measurement.
 */

export interface PackedRequest {
  readonly label: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

export function packRequest(label: string, body: Buffer, format: OtlpFormat): PackedRequest {
  return {
    label,
    body: new Uint8Array(gzipSync(body, { level: 1 })),
    headers: { 'content-type': contentTypes[format], 'content-encoding': 'gzip' },
  };
}

/** Whole traces of 10 spans, one per request, half JSON and half protobuf, gzipped. */
export function packTraces(prefix: string, count: number): PackedRequest[] {
  return Array.from({ length: count }, (_, i) => {
    const label = `${prefix}-${i}`;
    const format = otlpFormats[i % 2] ?? 'json';
    return packRequest(label, exportOf(format, sampleSpans(label, 10)), format);
  });
}

export interface LoadResult {
  /** Labels of requests answered 200. */
  readonly acked: readonly string[];
  readonly statuses: ReadonlyMap<number, number>;
  /** Milliseconds from the scheduled time of a request to its response. */
  readonly latencies: readonly number[];
  /** Invalid responses: without a required Retry-After. */
  readonly faults: readonly string[];
}

/**
 * Sends requests: `perSecond` of them independently of the responses (a late response delays no
 * request), or `atOnce` concurrently. A broken connection counts as status 0.
 */
export async function sendLoad(
  url: string,
  key: string,
  requests: readonly PackedRequest[],
  pace: { readonly perSecond: number } | { readonly atOnce: number },
): Promise<LoadResult> {
  const acked: string[] = [];
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const faults: string[] = [];
  const send = async (request: PackedRequest, scheduledAt: number): Promise<void> => {
    let status = 0;
    try {
      const response = await fetch(`${url}/v1/traces`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...request.headers },
        body: request.body,
        signal: AbortSignal.timeout(30_000),
      });
      await response.arrayBuffer();
      ({ status } = response);
      if ((status === 429 || status === 503) && response.headers.get('retry-after') === null)
        faults.push(`${status} without Retry-After`);
    } catch (error) {
      faults.push(String(error));
    }
    latencies.push(performance.now() - scheduledAt);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 200) acked.push(request.label);
  };
  if ('perSecond' in pace) {
    const began = performance.now();
    const running: Promise<void>[] = [];
    for (const [i, request] of requests.entries()) {
      const scheduledAt = began + (i * 1000) / pace.perSecond;
      const waitMs = scheduledAt - performance.now();
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
      running.push(send(request, scheduledAt));
    }
    await Promise.all(running);
  } else {
    let next = 0;
    const line = async (): Promise<void> => {
      for (let request = requests[next++]; request !== undefined; request = requests[next++])
        await send(request, performance.now());
    };
    await Promise.all(Array.from({ length: pace.atOnce }, line));
  }
  return { acked, statuses, latencies, faults };
}

/** The smallest value that at least `share` (0 to 1) of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export interface MemoryWatch {
  /** The maximum over all processes, in MiB; 0 if the system does not report it. */
  peak(): number;
  /** The steepest slope of any process over the second half of the watch, in MiB per second. */
  slope(): number;
  stop(): void;
}

export function watchMemory(children: readonly Pick<Child, 'pid'>[], everyMs = 250): MemoryWatch {
  const began = performance.now();
  const samples = children.map(() => [] as { readonly s: number; readonly mib: number }[]);
  const timer = setInterval(() => {
    children.forEach(({ pid }, i) => {
      const mib = memoryOf(pid);
      if (mib !== null) samples[i]?.push({ s: (performance.now() - began) / 1000, mib });
    });
  }, everyMs);
  return {
    peak: () => Math.max(0, ...samples.flat().map(({ mib }) => mib)),
    slope: () => Math.max(...samples.map((series) => slopeOf(series.slice(series.length >> 1)))),
    stop: () => clearInterval(timer),
  };
}

/** Least squares. */
function slopeOf(points: readonly { readonly s: number; readonly mib: number }[]): number {
  const n = points.length;
  if (n < 2) return 0;
  const meanS = points.reduce((sum, { s }) => sum + s, 0) / n;
  const meanM = points.reduce((sum, { mib }) => sum + mib, 0) / n;
  const up = points.reduce((sum, { s, mib }) => sum + (s - meanS) * (mib - meanM), 0);
  const down = points.reduce((sum, { s }) => sum + (s - meanS) ** 2, 0);
  return down === 0 ? 0 : up / down;
}

/**
 * True if the machine was idle during the last minute and is not a build machine, so that time
 * measurements are meaningful.
 */
export function isQuiet(): boolean {
  return process.env.CI === undefined && (loadavg()[0] ?? 0) < 0.7;
}
