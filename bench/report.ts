import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/data-dir.mjs';
import type { Row } from './row';

export interface Report {
  readonly bench: string;
  /** The date, machine and method of the measurement in one line. */
  readonly measured: string;
  readonly rows: readonly Row[];
}

const resultsDir = join(root, 'bench', 'results');
const document = join(resultsDir, 'benches.md');

/** The machine and the commit in one line, without names. */
export function machine(): string {
  return `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}${commitText()}`;
}

/** Empty outside a checkout. */
function commitText(): string {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
  const commit = git('rev-parse', '--short=12', 'HEAD');
  if (commit === '') return '';
  return `, commit ${commit}${git('status', '--porcelain') === '' ? '' : ' with changes'}`;
}

export function table(rows: readonly Row[]): string {
  const cell = (value: number | null): string => (value === null ? '-' : String(value));
  const lines = rows.map(
    ({ figure, unit, floor, peer, assay, ratio, low, high, goal, met, note }) => {
      const range = low === null || high === null ? '' : ` [${low}, ${high}]`;
      const verdict = met === null ? (goal === '-' ? '-' : 'no verdict') : met ? 'met' : 'not met';
      return `| ${[figure, unit, cell(floor), cell(peer), cell(assay), `${ratio === null ? '' : ratio}${range}` || '-', goal, verdict, note].join(' | ')} |`;
    },
  );
  return [
    '| figure | unit | floor | peer | Assay | ratio [95 %] | goal | met | note |',
    `|${' --- |'.repeat(9)}`,
    ...lines,
  ].join('\n');
}

/** Stores the result in the repository: as JSON, and as a table in bench/results/benches.md. */
export function save(report: Report): void {
  mkdirSync(resultsDir, { recursive: true });
  writeFileSync(join(resultsDir, `${report.bench}.json`), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(document, documentOf(savedReports()));
}

/** The run of the bench that is stored in bench/results; null if there is none. */
export function storedReport(bench: string): Report | null {
  const file = join(resultsDir, `${bench}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null;
}

function savedReports(): Report[] {
  if (!existsSync(resultsDir)) return [];
  return readdirSync(resultsDir)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(resultsDir, name), 'utf8')) as Report);
}

const introduction = `# Benches

What Assay costs, against the least that any correct implementation must spend (floor) or against another product (peer), measured in one run: absolute figures do not carry over between machines, ratios do. Written by the benches themselves (\`--save\`), which keep the same as JSON next to this page.

\`npm run bench\` runs all and prints what moved since the stored run. \`npm run bench:ingest\`, \`bench:queue\`, \`bench:scan\`, \`bench:checks\`, \`bench:code\`, \`bench:gateway\`, \`bench:dash\` and \`bench:integrity\` measure; \`-- --smoke\` is the short form that fails on wrong results only, \`-- --json\` prints the rows as JSON, \`-- --only=I1,I4\` runs some rows, \`-- --save\` keeps the result.

How to read a row: contenders run in rounds, in random order, the first round thrown away; the ratio is formed inside a round, and the interval is a bootstrap of its median. A goal is met when the worse end of the interval clears it. "No verdict" stands where the floor's own rounds differ by more than a quarter, where the load generator was the limit, or where a peer could not be had; the note says which. Rows without a ratio have a bound of their own, and show their lowest and highest value.
`;

/** The whole document with the latest results of all benches. */
export function documentOf(reports: readonly Report[]): string {
  return [
    introduction,
    ...reports.map(
      ({ bench, measured, rows }) => `## bench:${bench}\n\n${measured}\n\n${table(rows)}\n`,
    ),
  ].join('\n');
}
