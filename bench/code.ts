/**
 * bench:code (data/README.md, "Code"): programs with recorded results through the proof gates, two at a time, and reference solutions
 * through the compiler; what a box costs. `--smoke` takes every 16th, `--json`, `--save`. It needs a box (bubblewrap).
 */
import { createRunGates } from '../server/evaluators/code/gates';
import { createBoxKeeper } from '../server/sandbox';
import { hasPrograms, programs, provesNothing, references } from './code/programs';
import { machine, type Report, save, table } from './report';
import type { Row } from './row';

const args = process.argv.slice(2);
const every = args.includes('--smoke') ? 16 : 1;
const keeper = createBoxKeeper();
const runGates = createRunGates(keeper);

/** @returns how many of a set came out as recorded, and how many that were recorded as failing passed */
async function replay(name: string): Promise<Row> {
  const all = (programs[name]?.() ?? []).filter((_program, index) => index % every === 0);
  const queue = [...all];
  const different: string[] = [];
  let passed = 0;
  let forged = 0;
  const lane = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { id, runner, path, content } = one;
      const job = { files: [], tier: 'xlarge', runTests: { runner, files: [{ path, content }] } } as const;
      const [result] = await runGates(job, new AbortController().signal);
      const ours = result?.status === 'passed';
      if (ours) passed += 1;
      if (ours && !one.passed) forged += 1;
      if (ours !== one.passed) different.push(provesNothing.has(id) ? `${id} asserts nothing` : id);
    }
  };
  await Promise.all([lane(), lane()]);
  const note = `recorded ${all.filter((one) => one.passed).length} passed, ours ${passed}, wrongly passed ${forged}${different.length === 0 ? '' : `; different: ${different.join(', ')}`}`;
  const met = different.every((id) => id.endsWith('asserts nothing'));
  return figure(
    `${name}: as recorded, of ${all.length}`,
    'programs',
    all.length - different.length,
    `= ${all.length}, or proves nothing`,
    met,
    note,
  );
}

async function compileReferences(): Promise<Row> {
  const rows = references().filter((_row, index) => index % every === 0);
  const not: string[] = [];
  for (const { id, files } of rows) {
    const list = Object.entries(files).map(([path, content]) => ({ path, content }));
    const results = await runGates({ files: list, tier: 'medium', runTests: null }, new AbortController().signal);
    if (results.length === 0 || results.some(({ status }) => status !== 'passed')) not.push(id);
  }
  const note = not.length === 0 ? '' : `not passed: ${not.join(', ')}`;
  return figure(
    `code-convex-typescript: references that compile, of ${rows.length}`,
    'rows',
    rows.length - not.length,
    `= ${rows.length}`,
    not.length === 0,
    note,
  );
}

async function boxCost(): Promise<readonly Row[]> {
  const run = () => keeper.run({ files: [], command: ['/bin/true'] }, new AbortController().signal);
  const times: number[] = [];
  for (let count = 0; count < 50; count += 1) times.push((await run()).durationMs);
  const median = times.toSorted((a, b) => a - b)[25] ?? Number.NaN;
  const begun = performance.now();
  await Promise.all(Array.from({ length: 20 }, run));
  const together = performance.now() - begun;
  return [
    figure('a box around nothing, median of 50', 'ms', round(median), '<= 10', median <= 10, ''),
    figure('20 boxes at once', 'ms', round(together), '<= 200', together <= 200, ''),
  ];
}

function figure(name: string, unit: string, assay: number, goal: string, met: boolean, note: string): Row {
  return { figure: name, unit, assay, floor: null, peer: null, ratio: null, low: null, high: null, goal, met, note };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

async function main(): Promise<number> {
  if (!hasPrograms()) {
    process.stderr.write('bench:code needs the evaluation data (ASSAY_DATA); it is not there, and nothing was measured\n');
    return 1;
  }
  const state = await keeper.check();
  if (state.state !== 'ready') {
    process.stderr.write(`bench:code needs a box: ${state.reason} ${state.fix}\n`);
    return 1;
  }
  const rows: Row[] = [...(await boxCost())];
  for (const name of Object.keys(programs)) rows.push(await replay(name));
  rows.push(await compileReferences());
  const measured = `Measured ${new Date().toISOString().slice(0, 10)} on ${machine()}; programs with recorded results through the proof gates, in boxes, two at a time.`;
  const report: Report = { bench: 'code', measured, rows };
  if (args.includes('--save') && every === 1) save(report);
  process.stdout.write(args.includes('--json') ? `${JSON.stringify(report)}\n` : `${table(rows)}\n`);
  return rows.every(({ met, unit }) => met === true || unit === 'ms') ? 0 : 1;
}

process.exitCode = await main().finally(() => keeper.stop());
