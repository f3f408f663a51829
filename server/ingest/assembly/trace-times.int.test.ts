import { expect } from 'vitest';
import { createCaller } from '../../../testing/call';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { exportOf, type OtlpFormat, otlpFormats, sampleSpans } from '../../../testing/otlp';
import { createKey } from '../../access';
import { ingestExport } from '../intake/ingest-export';
import { listSpans } from '../read/list-spans';
import { listTraces } from '../read/list-traces';

const MS = 1_000_000n;
const DAY = 86_400_000n * MS;
const TEN_YEARS = 3650n * DAY;

interface Times {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}
const times = (start: bigint, end: bigint): Times => ({
  startTimeUnixNano: String(start),
  endTimeUnixNano: String(end),
});

/** The effect of a client's clock on each span; `at` is the correct time. */
const clocks: readonly { what: string; odd: boolean; of: (at: bigint) => Times }[] = [
  { what: 'right', odd: false, of: (at) => times(at, at + 5n * MS) },
  { what: 'ten-years-ahead', odd: true, of: (at) => times(at + TEN_YEARS, at + TEN_YEARS + MS) },
  { what: 'ten-years-behind', odd: true, of: (at) => times(at - TEN_YEARS, at - TEN_YEARS + MS) },
  { what: 'end-before-start', odd: true, of: (at) => times(at, at - 5n * MS) },
  { what: 'no-duration', odd: false, of: (at) => times(at, at) },
  { what: 'largest', odd: true, of: () => times(2n ** 64n - 1n, 2n ** 64n - 1n) },
  { what: 'largest-signed', odd: true, of: () => times(2n ** 63n - 1n, 2n ** 63n) },
  { what: 'end-overflows', odd: true, of: (at) => times(at, 2n ** 64n - 1n) },
  { what: 'no-times', odd: false, of: () => times(0n, 0n) },
  { what: 'start-overflows', odd: true, of: (at) => times(2n ** 64n - 1n, at) },
];
const spansPerTrace = 50;

test.for(otlpFormats)(
  'R-46 client clocks ten years off, overflow and ends before starts: accepted, flagged, listed by receipt (%s)',
  async (format: OtlpFormat, { runtime }) => {
    const project = await createTestProject(runtime);
    const { key } = await createKey(project, { name: format, scopes: ['read'] });
    const call = createCaller(runtime, key);
    const now = BigInt(Date.now()) * MS;
    const labels = clocks.map(({ what }) => `${format}-${what}`);
    for (const { what, of } of clocks) {
      const spans = sampleSpans(`${format}-${what}`, spansPerTrace).map((span, place) => ({
        ...span,
        ...of(now + BigInt(place) * MS),
      }));
      const body = exportOf(format, spans);
      const from = { body, packed: null, format, validUtf8: true };
      expect(await ingestExport(project, runtime.segments, from)).toEqual({
        spans: spansPerTrace,
        rejected: 0,
        message: null,
      });
    }
    await drainWork(runtime);
    const verdicts = (await call('/v1/verifications?limit=50')).body.data as unknown[];
    expect(verdicts).toHaveLength(clocks.length);

    const { items } = await listTraces(project, { limit: clocks.length });
    const ids = labels.map((label) => sampleSpans(label)[0]?.traceId);
    expect(items.map((trace) => trace.id)).toEqual(ids.toReversed());
    for (const [index, { what, odd }] of clocks.entries()) {
      const { rows } = await listSpans(project, ids[index] ?? '');
      expect(rows).toHaveLength(spansPerTrace);
      expect(new Set(rows.map((row) => row.flags.join())), what).toEqual(
        new Set([odd ? 'odd_times' : '']),
      );
      for (const { startMs, durationMs } of rows) {
        expect(durationMs ?? 0, what).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(startMs ?? 0), what).toBe(true);
      }
    }
  },
);
