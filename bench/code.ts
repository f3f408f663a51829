/**
 * bench:code (data/README.md, "Code"): programs with recorded results, unfinished work, and
 * reference solutions unchanged and with one fault inserted, through the public API with its proof
 * gates in sandboxes, two at a time; and the cost of a sandbox. `--smoke` takes every 16th,
 * `--json`, `--save`. It needs a sandbox (bubblewrap).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createBoxMonitor } from '../server/sandbox';
import { type Files, mutations } from './code/mutants';
import { type CodeReply, type Product, startProduct } from './code/product';
import {
  hasPrograms,
  type Program,
  programs,
  provesNothing,
  references,
  unfinished,
  type Work,
} from './code/programs';
import { machine, type Report, save, table } from './report';
import { median } from './rounds';
import type { Row } from './row';

const runFile = promisify(execFile);
const args = process.argv.slice(2);
const every = args.includes('--smoke') ? 16 : 1;
const monitor = createBoxMonitor();
const some = <Item>(items: readonly Item[]): readonly Item[] =>
  items.filter((_item, index) => index % every === 0);

/** The results of `run` for each, two at a time, in order. */
async function inPairs<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.map((item, index) => ({ item, index }));
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      results[next.index] = await run(next.item);
  };
  await Promise.all([lane(), lane()]);
  return results;
}

/**
 * The expected result of a program in a set: as recorded, a recorded timeout as one, and a program
 * that asserts nothing never as passed.
 */
function expected({ id, passed, isEndless }: Program): string {
  if (isEndless) return 'timeout';
  return passed && !provesNothing.has(id) ? 'passed' : 'failed';
}

/** For the Python tests only failures are recorded, not whether they were timeouts. */
function isAsRecorded(one: Program, end: string): boolean {
  return (
    end === expected(one) ||
    (one.runner === 'unittest' && end === 'timeout' && expected(one) === 'failed')
  );
}

async function replay(product: Product, name: string): Promise<Row> {
  const all = some(programs[name]?.() ?? []);
  const ends = await inPairs(all, async (one) => {
    const { code } = await product.verify({
      request: one.request,
      model: 'gpt-4',
      files: [one.solution],
      run_tests: { runner: one.runner, files: [{ path: one.path, content: one.content }] },
    });
    return code.gates.find(({ kind }) => kind === 'test')?.status ?? 'none';
  });
  const different = all.flatMap((one, index) =>
    isAsRecorded(one, ends[index] ?? '') ? [] : [`${one.id} ${ends[index]}`],
  );
  const count = (end: string): number => ends.filter((one) => one === end).length;
  const note = [
    `passed ${count('passed')}, failed ${count('failed')}, timeout ${count('timeout')}`,
    `without assertions, so not passed: ${all.filter(({ id }) => provesNothing.has(id)).length}`,
    ...(different.length === 0 ? [] : [`different: ${different.join(', ')}`]),
  ].join('; ');
  return figure(
    `${name}: ends as recorded, of ${all.length}`,
    'programs',
    all.length - different.length,
    `= ${all.length}`,
    different.length === 0,
    note,
  );
}

const send = (product: Product, { request }: Work, files: Files): Promise<CodeReply> =>
  product.verify({
    request,
    model: 'gpt-4',
    force: true,
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
  });

async function rejectUnfinished(product: Product): Promise<Row> {
  const all = some(unfinished());
  const replies = await inPairs(all, (one) => send(product, one, one.files));
  const accepted = all
    .filter((_one, index) => replies[index]?.verdict !== 'FAIL')
    .map(({ id }) => id);
  const note = accepted.length === 0 ? '' : `not rejected: ${accepted.join(', ')}`;
  const rejected = all.length - accepted.length;
  return figure(
    `code-nextjs-unfinished: rejected, of ${all.length}`,
    'rows',
    rejected,
    `= ${all.length}`,
    accepted.length === 0,
    note,
  );
}

/**
 * A fault is caught if it causes a rejection, or an issue that the work without it does not have.
 */
function isCaught(without: CodeReply, reply: CodeReply): boolean {
  const known = new Set(without.issues.map(({ code, message }) => `${code} ${message}`));
  return (
    isRejected(without, reply) ||
    reply.issues.some(({ code, message }) => !known.has(`${code} ${message}`))
  );
}

const isRejected = (without: CodeReply, reply: CodeReply): boolean =>
  reply.verdict === 'FAIL' && without.verdict !== 'FAIL';

async function referencesAndMutants(product: Product): Promise<readonly Row[]> {
  const all = some(references());
  const replies = await inPairs(all, (one) => send(product, one, one.files));
  const rejected = all.flatMap(({ id }, index) =>
    replies[index]?.verdict === 'PASS' ? [] : [`${id} (${replies[index]?.score})`],
  );
  const share = (count: number, of: number): number => Math.round((1000 * count) / of) / 10;
  const rows = [
    figure(
      `code-convex-typescript: references not rejected, of ${all.length}`,
      '%',
      share(all.length - rejected.length, all.length),
      '>= 90',
      rejected.length <= all.length * 0.1,
      `rejected: ${rejected.join(', ') || 'none'}`,
    ),
  ];
  for (const { name, make } of mutations) {
    const mutants = all.flatMap((work, index) => {
      const files = make(work.files, work.request);
      return files === null ? [] : [{ work, files, without: replies[index] as CodeReply }];
    });
    const seen = await inPairs(mutants, async ({ work, files, without }) => {
      const reply = await send(product, work, files);
      return {
        id: work.id,
        caught: isCaught(without, reply),
        rejected: isRejected(without, reply),
      };
    });
    const missed = seen.filter(({ caught }) => !caught).map(({ id }) => id);
    const caught = share(seen.length - missed.length, seen.length);
    const note = `rejected ${seen.filter(({ rejected }) => rejected).length}; missed: ${missed.join(', ') || 'none'}`;
    rows.push(
      figure(`${name}: caught, of ${seen.length}`, '%', caught, '>= 95', caught >= 95, note),
    );
  }
  return rows;
}

/** 50 runs alternating, one in a sandbox and one without. */
async function boxCost(): Promise<readonly Row[]> {
  const run = () =>
    monitor.run({ files: [], command: ['/bin/true'] }, new AbortController().signal);
  const timed = async (start: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await start();
    return performance.now() - begun;
  };
  const [boxed, bare]: [number[], number[]] = [[], []];
  for (let count = 0; count < 50; count += 1) {
    bare.push(await timed(() => runFile('/bin/true')));
    boxed.push(await timed(run));
  }
  const overhead = median(boxed) - median(bare);
  const together = await timed(() => Promise.all(Array.from({ length: 20 }, run)));
  return [
    {
      ...figure(
        'what a box adds to a process that does nothing, median of 50',
        'ms',
        round(overhead),
        '<= 10',
        overhead <= 10,
        '',
      ),
      floor: round(median(bare)),
      note: `${round(median(boxed))} ms in a box`,
    },
    figure('20 boxes at once', 'ms', round(together), '<= 200', together <= 200, ''),
  ];
}

function figure(
  name: string,
  unit: string,
  assay: number,
  goal: string,
  met: boolean,
  note: string,
): Row {
  return {
    figure: name,
    unit,
    assay,
    floor: null,
    peer: null,
    ratio: null,
    low: null,
    high: null,
    goal,
    met,
    note,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

async function main(): Promise<number> {
  if (!hasPrograms()) {
    process.stderr.write(
      'bench:code needs the evaluation data (ASSAY_DATA), which is missing; nothing was measured\n',
    );
    return 1;
  }
  const state = await monitor.check();
  if (state.state !== 'ready') {
    process.stderr.write(`bench:code needs a box: ${state.reason} ${state.fix}\n`);
    return 1;
  }
  const rows: Row[] = [...(await boxCost())];
  const product = await startProduct();
  try {
    for (const name of Object.keys(programs)) rows.push(await replay(product, name));
    rows.push(await rejectUnfinished(product));
    rows.push(...(await referencesAndMutants(product)));
  } finally {
    await product.stop();
  }
  const measured = `Measured ${new Date().toISOString().slice(0, 10)} on ${machine()}; code with recorded results through the public API and the proof gates, in boxes, two at a time.`;
  const report: Report = { bench: 'code', measured, rows };
  if (args.includes('--save') && every === 1) save(report);
  process.stdout.write(
    args.includes('--json') ? `${JSON.stringify(report)}\n` : `${table(rows)}\n`,
  );
  return rows.every(({ met, unit }) => met === true || unit === 'ms') ? 0 : 1;
}

process.exitCode = await main().finally(() => monitor.stop());
