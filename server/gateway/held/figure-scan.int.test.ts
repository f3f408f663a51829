import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../scripts/harness/until';
import type { ScanFigures } from './deps';
import { createFigureScan, threadOf } from './figure-scan';
import { testDeps } from './held-fixture';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Packages are found from there.
mkdirSync(join(root, 'dist'), { recursive: true });
const dir = mkdtempSync(join(root, 'dist', 'test-scan-'));
const workers: Worker[] = [];

/** A file of Node's own that ends as the edge's does where it is loaded as a thread. */
beforeAll(async () => {
  const contents = `import { serveFigureScans } from './server/gateway/held/scan-thread'; serveFigureScans();`;
  const bundle = { bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external', write: false } as const;
  const { outputFiles } = await build({
    ...bundle,
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts' },
    logLevel: 'silent',
  });
  writeFileSync(join(dir, 'thread.js'), outputFiles[0]?.contents ?? '');
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.terminate()));
  rmSync(dir, { recursive: true, force: true });
});

function openScan(): ScanFigures {
  const start = threadOf(`file://${join(dir, 'thread.js')}`);
  if (start === null) throw new Error('no thread');
  return createFigureScan(testDeps().deps, () => {
    const worker = start();
    workers.push(worker);
    return worker;
  });
}

const question = (turn: object) => ({ turn: JSON.stringify(turn), allowUserFigures: false, derivedCountsAsSourced: false });
const rows = (count: number): object => ({ rows: Array.from({ length: count }, (_, at) => ({ host: `web-${at}`, disk_pct: 1000 + at })) });
const turnOf = (count: number, output: string): object => ({ id: 't', output, tools: [{ id: 'tc1', name: 'disk', result: rows(count) }] });
const small = question(turnOf(3, 'It is at 55%.'));
const large = question(turnOf(20_000, 'It is at 55%, or 1007.'));

test('R-62 a large turn is scanned in a thread while the event loop goes on, and comes to the same', async () => {
  const scan = openScan();
  const here = await scan(small, 50);
  expect(here).toMatchObject({ state: 'done', detail: { unsourced: 1, mode: 'fallback_scan' } });
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const there = await scan(large, 60_000);
  clearInterval(timer);
  expect(there).toMatchObject({ state: 'done', detail: { unsourced: 1, figures: [{ text: '55%', sourced: false }, { sourced: true }] } });
  expect(turns).toBeGreaterThan(3);
});

test('R-62 a scan that is not done by its deadline is late, at the deadline', async () => {
  const scan = openScan();
  await scan(small, 50);
  const huge = question(turnOf(120_000, `${'It is at 12.345%. '.repeat(500)}`));
  const began = performance.now();
  expect(await scan(huge, 50)).toEqual({ state: 'late' });
  expect(performance.now() - began).toBeLessThan(500);
});

test('a thread that dies breaks its scans, and the next one has a new thread', async () => {
  const scan = openScan();
  await scan(small, 50);
  const broken = scan(question(turnOf(120_000, 'It is at 55%.')), 60_000);
  const dead = workers.at(-1);
  await dead?.terminate();
  expect(await broken).toEqual({ state: 'broken' });
  expect(await until('a new thread', async () => ((await scan(large, 60_000)).state === 'done' ? true : null))).toBe(true);
  expect(workers.at(-1)).not.toBe(dead);
});

test('a source file is no thread', () => {
  expect(threadOf(import.meta.url)).toBeNull();
});
