// The parts of `npm test`, in the order in which they run.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBox } from './box.mjs';
import { build, needsBuild } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { root } from './data-dir.mjs';
import { reportFailure } from './failure.mjs';
import { install, needsInstall } from './install.mjs';
import { run } from './processes.mjs';
import { createProgress, seconds } from './progress.mjs';
import { ensureRedis } from './redis.mjs';
import {
  addCounts,
  countPlaywright,
  countVerify,
  countVitest,
  describeCounts,
} from './test-counts.mjs';
import {
  describePlaywrightFailures,
  describeUnnamed,
  describeVitestFailures,
} from './test-failures.mjs';

/** @typedef {import('./test-counts.mjs').Counts} Counts */

const results = join(root, 'test-results');
const report = (/** @type {string} */ name) => join(results, name);
const bin = (/** @type {string[]} */ ...path) => join(root, 'node_modules', ...path);
const oneFailed = { passed: 0, failed: 1, skipped: 0 };
const keptChars = 20_000;
/**
 * Parts that failed without a failed test: an error outside all tests, or during shutdown.
 * @type {string[]}
 */
const unnamed = [];

/**
 * Shows a program's output and returns the end of it.
 * @param {string[]} args arguments of Node
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ code: number, end: string }>} the exit code, and the last characters of the
 * output
 */
function show(args, env = {}) {
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  return new Promise((resolve) => {
    /**
     * @type {import('node:child_process').SpawnOptionsWithStdioTuple<'inherit', 'pipe', 'pipe'>}
     */
    const options = {
      cwd: root,
      env: { ...process.env, ...colour, ...env },
      stdio: ['inherit', 'pipe', 'pipe'],
    };
    const child = spawn(process.execPath, args, options);
    let end = '';
    for (const [from, to] of /** @type {const} */ ([
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])) {
      from.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        to.write(text);
        end = (end + text).slice(-keptChars);
      });
    }
    child.once('error', () => resolve({ code: 127, end }));
    child.once('close', (code) => resolve({ code: code ?? 128, end }));
  });
}

/** @returns {Promise<Counts>} */
async function verify() {
  const { code } = await show([join(root, 'scripts', 'verify.mjs')]);
  return countVerify(report('verify.json'), report('unit.json'), code);
}

/** @returns {Promise<Counts>} */
async function integration() {
  const out = report('integration.json');
  const redis = await ensureRedis(report('redis.log'));
  if ('missing' in redis)
    process.stdout.write(`${redis.missing} Tests of that backend are skipped.\n`);
  const box = await ensureBox(report('box.log'));
  if (box.missing !== null)
    process.stdout.write(`${box.missing} Tests of what is missing are skipped.\n`);
  // On a build machine, a missing server is an error, not a choice.
  const isMissing = 'missing' in redis || box.missing !== null;
  const fault =
    isMissing && process.env.CI === 'true' ? oneFailed : { passed: 0, failed: 0, skipped: 0 };
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${out}`];
  const { code, end } = await show([
    bin('vitest', 'vitest.mjs'),
    'run',
    '--project',
    'integration',
    '--project',
    'isolated',
    ...reporters,
  ]);
  if (code !== 0 && describeVitestFailures(out).length === 0)
    unnamed.push(describeUnnamed('integration', code, end));
  return addCounts([fault, countVitest(out, code)]);
}

/** @returns {Promise<Counts>} one test: whether the build succeeds */
async function buildAll() {
  try {
    if (needsBuild()) await build({ log: report('build.log') });
    return { passed: 1, failed: 0, skipped: 0 };
  } catch (error) {
    reportFailure(error);
    return oneFailed;
  }
}

/**
 * Playwright empties its output folder at the start, so it gets a separate one.
 * @returns {Promise<Counts>}
 */
async function endToEnd() {
  const out = report('e2e.json');
  const playwright = bin('@playwright', 'test', 'cli.js');
  const chromium = await ensureChromium(report('chromium.log'));
  if ('path' in chromium) {
    const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: out, ASSAY_CHROMIUM: chromium.path };
    const { code } = await show(
      [playwright, 'test', '--reporter=list,json', '--output', report('e2e')],
      env,
    );
    return countPlaywright(out, code);
  }
  process.stdout.write(`${chromium.missing}\n`);
  const listed = await run(process.execPath, [playwright, 'test', '--list'], { cwd: root });
  const skipped = Number(/Total: (\d+) test/.exec(listed.output)?.[1] ?? 0);
  process.stdout.write(`skipped: ${skipped} end-to-end tests\n`);
  // On a build machine, a missing browser is an error, not a choice.
  return { passed: 0, failed: process.env.CI === 'true' || skipped === 0 ? 1 : 0, skipped };
}

const parts = [
  { name: 'verify', work: verify },
  // Integration tests start the built processes; without a build, they bundle them.
  { name: 'build', work: buildAll },
  { name: 'integration', work: integration },
  { name: 'e2e', work: endToEnd },
];

/** Runs all parts. */
export async function main() {
  const begun = performance.now();
  mkdirSync(results, { recursive: true });
  for (const name of ['verify.json', 'unit.json', 'integration.json', 'e2e.json'])
    rmSync(report(name), { force: true });
  try {
    const log = report('install.log');
    if (needsInstall())
      await createProgress().step('Packages installed', () => install({ log }), `log: ${log}`);
  } catch (error) {
    process.exitCode = reportFailure(error);
    process.stdout.write(`${describeCounts(oneFailed)}\n`);
    return;
  }
  /** @type {Counts[]} */
  const all = [];
  /** @type {string[]} */
  const times = [];
  for (const { name, work } of parts) {
    process.stdout.write(`\n== ${name}\n`);
    const partBegun = performance.now();
    const counts = await work();
    all.push(counts);
    times.push(`${name} ${seconds(partBegun)} s (${describeCounts(counts)})`);
  }
  const sum = addCounts(all);
  const failures = [
    ...['unit.json', 'integration.json'].map(report).flatMap(describeVitestFailures),
    ...unnamed,
    ...describePlaywrightFailures(report('e2e.json')),
  ];
  if (failures.length > 0) process.stdout.write(`\n== what failed\n${failures.join('\n')}\n`);
  process.stdout.write(
    `\n${times.join('\n')}\ntotal ${seconds(begun)} s\n\n${describeCounts(sum)}\n`,
  );
  if (sum.failed > 0) process.exitCode = 1;
}
