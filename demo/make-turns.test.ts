import { expect, test } from 'vitest';
import { faults, makeTurns } from './make-turns.mjs';
import { describeDemo, wilson } from './summary.mjs';

const now = new Date('2026-11-22T00:00:00Z');
const machine = {
  disk: { host: 'this-machine', disk_pct: 41.7, free_gib: 93.2 },
  memory: { host: 'this-machine', used_gib: 3.6, total_gib: 7.8 },
  load: { host: 'this-machine', cores: 2, load_5m: 0.58, up_hours: 7.7 },
};
const make = (count: number, from = machine) =>
  makeTurns({ run: 'r', count, seed: 7, faultRate: 0.25, now, machine: from });

test('the same seed plants the same faults, at the requested rate, of every kind', () => {
  const planted = make(2000).map(({ fault }) => fault);
  const other = make(2000, {
    ...machine,
    disk: { host: 'this-machine', disk_pct: 9, free_gib: 1 },
  });
  expect(other.map(({ fault }) => fault !== null)).toEqual(planted.map((fault) => fault !== null));
  const bad = planted.filter((fault) => fault !== null);
  expect(bad.length / 2000).toBeGreaterThan(0.22);
  expect(bad.length / 2000).toBeLessThan(0.28);
  for (const fault of faults)
    expect(bad.filter((each) => each === fault).length, fault).toBeGreaterThan(60);
});

test('a wrong figure is stated, and a right answer states only figures of its source', () => {
  for (const { turn, fault } of make(500)) {
    const { output, tools, tags, metadata } = turn as {
      output: string;
      tools: { result: { rows: Record<string, string | number>[] } }[];
      tags: string[];
      metadata: Record<string, unknown>;
    };
    expect(tags).toContain('simulated');
    expect(metadata.planted).toBe(fault ?? 'none');
    const values =
      tools[0]?.result.rows.flatMap((row) =>
        Object.values(row).filter((value) => typeof value === 'number'),
      ) ?? [];
    const stated = [
      ...output.replace(/this-machine|[a-z]+-\d/g, '').matchAll(/\d[\d,]*(\.\d+)?/g),
    ].map(([text]) => text.replaceAll(',', ''));
    const isThere = (text: string) =>
      values.some((value) => value.toFixed(text.split('.')[1]?.length ?? 0) === text);
    const invented = stated.filter((text) => !isThere(text));
    expect(invented, `${fault}: ${output}`).toHaveLength(
      fault === null || fault === 'wrong_place' ? 0 : 1,
    );
  }
});

test('X-12 the summary gives counts and intervals, and no rate without data', () => {
  const of = (id: string, fault: (typeof faults)[number] | null, outcome: string) => ({
    id,
    fault,
    outcome,
    verdictId: `ver_${id}`,
    url: `http://localhost:3000/p/demo/verdicts/ver_${id}`,
  });
  const labels = { drawn: 1, given: 3, overruled: 1, wrong: 0, rate: 0.3, twice: 1, disputed: 1 };
  const lines = describeDemo(
    [of('a', 'invented', 'failed'), of('b', null, 'passed'), of('c', null, 'failed')],
    labels,
  );
  expect(lines.find((line) => line.startsWith('Labels'))).toContain(
    '1 answers sampled with probability 0.3; 3 labels; 1 verdicts overruled',
  );
  expect(lines.find((line) => line.startsWith('Two reviewers'))).toContain(
    'on 1 of these answers; they disagreed on 1',
  );
  expect(lines[1]).toBe('Caught           1 of 1 (100.0%, 95% interval 20.7 to 100.0)');
  expect(lines).toContain('False rejections 1 of 2 (50.0%, 95% interval 9.5 to 90.5)');
  expect(lines.at(-1)).toBe('Verdicts         http://localhost:3000/p/demo/verdicts');
  expect(describeDemo([], labels)).toContain('Caught           none');
  expect(wilson(0, 10).map((end) => end.toFixed(4))).toEqual(['0.0000', '0.2775']);
});
