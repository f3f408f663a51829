import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createKey } from '../../server/access';
import { root } from '../../scripts/data-dir.mjs';
import { until } from '../../testing/until';
import type { Child } from '../child';
import { treeCpuSeconds } from '../cpu';
import { httpMessage, sendAll } from '../raw-client';
import { median, runRounds } from '../rounds';
import { absent, compare, type Row } from '../row';
import type { RowMaker, Settings } from '../run';
import type { Stage } from '../stage';

const runFile = promisify(execFile);
const peerHome = join(root, 'bench', 'peers', 'node_modules', 'promptfoo');
const connections = 32;
const figure = 'S5 cases of 5 checks each, results stored';

/** The text of a case, and its checks, in the words of either product. */
const textOf = (n: string): string =>
  `The harbour handled ${n} thousand containers in the quarter, and that is all that there is to say of it. Order #1234 is closed.`;
const pattern = String.raw`Order #\d{4,8}`;
const words = ['harbour', 'quarter'];
const ourChecks = [
  { check: 'regex', value: pattern },
  { check: 'keywords', value: words },
  { check: 'min_length', value: 100 },
  { check: 'max_length', value: 10_000 },
  { check: 'word_count', value: { min: 5, max: 1000 } },
];
const theirChecks = [
  { type: 'regex', value: pattern },
  { type: 'icontains-all', value: words },
  { type: 'javascript', value: 'output.length >= 100' },
  { type: 'javascript', value: 'output.length <= 10000' },
  { type: 'word-count', value: { min: 5, max: 1000 } },
];

/**
 * S5: cases sent to an edge in separate requests, and checked and stored by a worker, until all
 * verdicts exist; compared with a promptfoo evaluation with the same checks on its echo provider,
 * stored in its database, minus the same evaluation of a single case. It also measures the cold
 * start of both command lines.
 */
export const s5: RowMaker = {
  name: 'S5',
  async make(stage, settings) {
    const count = settings.smoke ? 100 : 1_000;
    const key = (await createKey(stage.project, { name: 'S5', scopes: ['verify'] })).key;
    const sides = { edge: await stage.edge(), worker: await stage.startWorker() };
    const peer = openPromptfoo(stage);
    const assayContender = {
      name: 'assay',
      run: (round: number) => runAssay(stage, sides, key, `s5-${round}`, count),
    };
    const peerContender =
      peer === null ? [] : [{ name: 'promptfoo', run: () => runPromptfoo(peer, count) }];
    const measured = await runRounds('S5', [assayContender, ...peerContender], settings);
    await sides.worker.stop();
    const goals = { rate: { min: 20 }, start: { max: 1 } };
    if (peer === null) {
      const why = 'promptfoo is not there: npm ci --omit=optional --ignore-scripts in bench/peers';
      return [
        absent(figure, 'cases/s', goals.rate, why),
        absent('S5 cold start', 's', goals.start, why),
      ];
    }
    const against = `against promptfoo ${peer.version}`;
    return [
      compare({
        figure: `${figure}, ${against} less its start`,
        unit: 'cases/s',
        assayValues: measured('assay', 'perS'),
        peer: measured('promptfoo', 'perS'),
        goal: goals.rate,
        notes: [`${count} cases a round, one edge and one worker`],
      }),
      compare({
        figure: `${figure}, by processor time, ${against} less its start`,
        unit: 'cases/CPU s',
        assayValues: measured('assay', 'perCpuS'),
        peer: measured('promptfoo', 'perCpuS'),
        notes: [
          `${median(measured('assay', 'perCpuS').map((rate) => 1000 / rate)).toFixed(1)} ms a case of edge, worker and PostgreSQL`,
        ],
      }),
      await startRow(peer, against, settings),
    ];
  },
};

async function runAssay(
  stage: Stage,
  { edge, worker }: { edge: Child; worker: Child },
  key: string,
  name: string,
  count: number,
) {
  const messages = Array.from({ length: count }, (_, n) => {
    const body = {
      id: `${name}-${n}`,
      mode: 'async',
      task_description: 'Report',
      cost_usd: 0,
      task_output: textOf(String(n)),
      success_criteria: ourChecks,
    };
    return httpMessage('/v1/verify/task', Buffer.from(JSON.stringify(body)), { key });
  });
  let settled = 0;
  const listening = await stage.sql.listen('assay_verdicts', (notice) => {
    settled += Number(notice.split(' ')[1] ?? 0);
  });
  const cpu = (): number =>
    treeCpuSeconds(edge.pid) + treeCpuSeconds(worker.pid) + stage.postgresCpu();
  const cpuBefore = cpu();
  const began = performance.now();
  const { statuses } = await sendAll(edge.port, messages, connections, 60);
  if (statuses.get(202) !== count)
    throw new Error(`void: ${JSON.stringify([...statuses])} of ${count} cases`);
  await until('all cases have a verdict', () => (settled >= count ? true : null), 60_000);
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = cpu() - cpuBefore;
  await listening.unlisten();
  const [row] = await stage.sql<{ passed: number; scores: number }[]>`
    select count(*) filter (where v.outcome = 'passed')::int as passed,
      (select count(*)::int from scores s where s.evaluator like 'checks.%' and s.met and s.verdict_id in
        (select id from verdicts where client_id like ${`${name}-%`})) as scores
    from verdicts v where v.client_id like ${`${name}-%`}`;
  if (row?.passed !== count || row.scores !== count * ourChecks.length)
    throw new Error(`void: ${JSON.stringify(row)} of ${count} cases`);
  return { perS: count / seconds, perCpuS: count / cpuSeconds };
}

interface Promptfoo {
  readonly version: string;
  readonly bin: string;
  readonly folder: string;
}

/** With a separate folder; null if it was not installed. */
function openPromptfoo(stage: Stage): Promptfoo | null {
  const manifest = join(peerHome, 'package.json');
  if (!existsSync(manifest)) return null;
  const { version, bin } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    version: string;
    bin: Record<string, string>;
  };
  const folder = join(stage.folder, 'promptfoo-eval');
  mkdirSync(folder, { recursive: true });
  return { version, bin: join(peerHome, bin.promptfoo ?? ''), folder };
}

async function runPromptfoo(peer: Promptfoo, count: number) {
  const [one, all] = [await evaluate(peer, 1), await evaluate(peer, count)];
  return {
    perS: (count - 1) / (all.seconds - one.seconds),
    perCpuS: (count - 1) / (all.cpuSeconds - one.cpuSeconds),
  };
}

/** @throws Error unless each case passed with all its checks */
async function evaluate(
  peer: Promptfoo,
  count: number,
): Promise<{ seconds: number; cpuSeconds: number }> {
  const [config, out] = [join(peer.folder, 'config.json'), join(peer.folder, 'out.json')];
  const tests = Array.from({ length: count }, (_, n) => ({
    vars: { n: String(n) },
    assert: theirChecks,
  }));
  writeFileSync(config, JSON.stringify({ prompts: [textOf('{{n}}')], providers: ['echo'], tests }));
  const cpuBefore = treeCpuSeconds(process.pid) - ownCpuSeconds();
  const began = performance.now();
  // It may fail in its own log after the results are written: only the results count.
  await ask(peer, [
    'eval',
    '-c',
    config,
    '-o',
    out,
    '-j',
    '50',
    '--no-table',
    '--no-progress-bar',
  ]).catch(() => undefined);
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = treeCpuSeconds(process.pid) - ownCpuSeconds() - cpuBefore;
  const { results } = JSON.parse(readFileSync(out, 'utf8')) as {
    results: {
      stats: { successes: number };
      results: { gradingResult: { componentResults: unknown[] } }[];
    };
  };
  const checked = results.results.reduce(
    (sum, each) => sum + each.gradingResult.componentResults.length,
    0,
  );
  if (results.stats.successes !== count || checked !== count * theirChecks.length) {
    throw new Error(
      `void: promptfoo passed ${results.stats.successes} of ${count} cases with ${checked} checks`,
    );
  }
  return { seconds, cpuSeconds };
}

const ownCpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function ask({ bin, folder }: Promptfoo, args: readonly string[]): Promise<unknown> {
  const env = {
    ...process.env,
    PROMPTFOO_CONFIG_DIR: folder,
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
  };
  return runFile(process.execPath, [bin, ...args], {
    cwd: folder,
    env,
    timeout: 120_000,
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Each exports its commands. */
async function startRow(peer: Promptfoo, against: string, settings: Settings): Promise<Row> {
  const timed = async (start: () => Promise<unknown>): Promise<{ seconds: number }> => {
    const began = performance.now();
    await start();
    return { seconds: (performance.now() - began) / 1000 };
  };
  const assayCommand = join(root, 'scripts', 'assay.mjs');
  const measured = await runRounds(
    'S5 start',
    [
      {
        name: 'assay',
        run: () => timed(() => runFile(process.execPath, [assayCommand, 'send', '--help'])),
      },
      { name: 'promptfoo', run: () => timed(() => ask(peer, ['eval', '--help'])) },
    ],
    settings,
  );
  return compare({
    figure: `S5 cold start of the command line, ${against}`,
    unit: 's',
    assayValues: measured('assay', 'seconds'),
    peer: measured('promptfoo', 'seconds'),
    goal: { max: 1 },
    notes: ['both print the usage of a command'],
  });
}
