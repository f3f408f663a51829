// `npm run test:long`: runs the tests that have a long form in that form, one file after another,
// and writes their figures to bench/results/long-tests.md; then runs current versions of real
// clients (`npm run clients`). Exits with 1 if any test failed.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from './data-dir.mjs';
import { countVitest, describeCounts } from './test-counts.mjs';

const files = [
  'workers/lane.int.test.ts',
  'workers/slow-lane.int.test.ts',
  'workers/slow-faults.int.test.ts',
  'workers/judging.int.test.ts',
  'workers/schedules.int.test.ts',
  'workers/judge-faults.int.test.ts',
  'workers/all-killed.int.test.ts',
  'workers/leaks.int.test.ts',
  'workers/small-heap.int.test.ts',
  'server/api/http/storage-faults.int.test.ts',
  'server/api/http/disk-full.int.test.ts',
  'server/api/http/lost-connections.int.test.ts',
  'server/api/http/failover.int.test.ts',
  'server/api/http/backlog.int.test.ts',
  'server/api/http/large-outputs.int.test.ts',
  'server/gateway/large-bodies.int.test.ts',
  'server/api/http/large-answers.int.test.ts',
  'server/ingest/intake/replays.int.test.ts',
  'db/migrate.int.test.ts',
  'sdk/client/kill.int.test.ts',
  'scripts/release/server-package.int.test.ts',
  'server/ingest/assembly/trace-order.int.test.ts',
  'server/ingest/assembly/trace-late.int.test.ts',
  'server/ingest/read/trace-pages.int.test.ts',
  'server/api/http/traces.int.test.ts',
  'server/api/http/load.int.test.ts',
  'server/api/http/load-large.int.test.ts',
  'server/api/http/budget.int.test.ts',
  'server/api/http/trace-sizes.int.test.ts',
  'server/api/http/unknown.int.test.ts',
  'server/gateway/many-streams.int.test.ts',
  'server/gateway/gateway.int.test.ts',
  'server/gateway/proxy/relay.int.test.ts',
  'server/sandbox/limits.int.test.ts',
  'server/sandbox/absent.int.test.ts',
  'server/code/gates/left-out.int.test.ts',
  'server/code/gates/compile.int.test.ts',
  'server/code/gates/missing-modules.int.test.ts',
  'server/code/gates/forged.int.test.ts',
  'server/code/gates/forged-text.int.test.ts',
  'server/code/gates/versions.int.test.ts',
  'server/code/gates/mutants/honest.int.test.ts',
  'server/code/gates/isolated/isolated.int.test.ts',
  'server/code/gates/isolated/scripts.int.test.ts',
  'server/evaluators/functions/runner.int.test.ts',
  'demo/weeks.int.test.ts',
  'sdk/cli/import-sets.int.test.ts',
  'server/measures/refresh.int.test.ts',
  'server/verdicts/pipelines/summarise-checkpoints.int.test.ts',
  'server/figures/linear.test.ts',
  'server/stats/coverage.test.ts',
  'server/stats/coverage-corrected.test.ts',
  'server/stats/level-change.test.ts',
  'server/queue/schedule-periods.test.ts',
  'server/ingest/otlp/read-export.test.ts',
  'server/ingest/assembly/assemble.test.ts',
  'server/ingest/assembly/merge-spans.test.ts',
  'server/evaluators/judges/judges.test.ts',
  'server/evaluators/steering/fenced-turn.test.ts',
  'server/evaluators/checks/checks.test.ts',
  'server/evaluators/claims/split.test.ts',
  'server/gateway/dialects/dialects.test.ts',
  'server/gateway/proxy/chunkings.test.ts',
  'server/ingest/otlp/decode-segment.test.ts',
  'server/verifiers/task/injection.test.ts',
  'server/api/http/fuzz.int.test.ts',
  'server/gateway/fuzz.int.test.ts',
  'server/gateway/dialects/fuzz.test.ts',
  'server/ingest/fuzz.test.ts',
  'server/ingest/import/fuzz.test.ts',
  'server/figures/fuzz.test.ts',
  'server/code/contract/fuzz.test.ts',
  'server/prompts/fuzz.test.ts',
  'server/evaluators/functions/fuzz.test.ts',
];
const results = join(root, 'test-results');
const figuresFile = join(results, 'long-figures.jsonl');
const report = join(results, 'long.json');

/**
 * @param {string[]} args of Node @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} the exit code
 */
function show(args, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 128));
  });
}

/** @returns {Promise<number>} the exit code */
function runTests() {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    vitest,
    'run',
    '--project',
    'unit',
    '--project',
    'integration',
    '--no-file-parallelism',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...files,
  ];
  return show(args, { ...process.env, ASSAY_LONG: '1', ASSAY_FIGURES: figuresFile });
}

/** @returns {{ test: string, figures: Record<string, string | number> }[]} */
function readFigures() {
  try {
    return readFileSync(figuresFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

/** @returns {string} without machine names or dates: the file changes only when a result does */
function machine() {
  return `${availableParallelism()} cores, ${Math.round(totalmem() / 1e9)} GB memory, ${process.platform} ${process.arch}, Node ${process.version.split('.')[0]?.slice(1)}`;
}

mkdirSync(results, { recursive: true });
rmSync(figuresFile, { force: true });
rmSync(report, { force: true });
const begun = performance.now();
const code = await runTests();
const counts = countVitest(report, code);
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
const rows = readFigures().map(
  ({ test, figures }) =>
    `| ${test} | ${Object.entries(figures)
      .map(([name, value]) => `${name}: ${value}`)
      .join('; ')} |`,
);
const text = `# Long tests

What \`npm run test:long\` last gave: the crash and fault tests in their long forms. \`npm test\` runs the short forms. A seed replays a run: \`ASSAY_SEED=… npm run test:long\`.

Machine: ${machine()}. Whole run ${minutes} min: ${describeCounts(counts)}.

| Test | Figures |
| --- | --- |
${rows.join('\n')}
`;
writeFileSync(join(root, 'bench', 'results', 'long-tests.md'), text);
process.stdout.write(`\n${text}\n`);
const clients = await show([join(root, 'scripts', 'clients.mjs')]);
if (code !== 0 || clients !== 0) process.exitCode = 1;
