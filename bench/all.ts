/**
 * `npm run bench`: runs the benches one after the other and prints the figures that changed since
 * the run stored in bench/results. `--save` stores this run instead, `--smoke` is the short form
 * that fails on wrong results only, `--rounds=3` is for trials, `--only=scan,queue` selects
 * benches. Each bench runs in a separate process, so that none inherits the memory or the compiled
 * code of another.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/data-dir.mjs';
import { describeMoved, movedRows } from './moved';
import { type Report, storedReport, table } from './report';

const benches = [
  'scan',
  'checks',
  'functions',
  'queue',
  'ingest',
  'gateway',
  'dash',
  'simulate',
  'experiments',
  'integrity',
  'code',
] as const;

const args = process.argv.slice(2);
const only = args
  .find((arg) => arg.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',');
/** It measures nothing. */
const isSmoke = args.includes('--smoke');
const passed = args.filter((arg) => !arg.startsWith('--only=') && arg !== '--json');

/** @throws Error if the bench fails, or prints no report */
async function run(bench: string): Promise<Report> {
  const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  const file = join(root, 'bench', `${bench}.ts`);
  const child = spawn(process.execPath, [tsx, file, '--json', ...passed], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`bench:${bench} ended with ${code}`);
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Report;
}

const began = performance.now();
const lines: string[] = [];
for (const bench of benches) {
  if (only !== undefined && !only.includes(bench)) continue;
  // `--save` replaces the stored run.
  const before = storedReport(bench);
  try {
    const report = await run(bench);
    process.stdout.write(`\n## bench:${bench}\n\n${report.measured}\n\n${table(report.rows)}\n`);
    if (!isSmoke) lines.push(...describeMoved(bench, movedRows(before?.rows ?? [], report.rows)));
  } catch (error) {
    process.exitCode = 1;
    lines.push(`failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
const minutes = Math.round((performance.now() - began) / 60_000);
const nothing = isSmoke ? 'All results are right.' : 'No figure changed since the stored run.';
const moved = lines.length === 0 ? nothing : lines.join('\n');
process.stdout.write(`\n${moved}\n\n${minutes} min\n`);
