import { createFunctionRunner, type FunctionSource } from '../../server/evaluators/functions';
import { type BoxJob, createBoxMonitor, nodeInBox } from '../../server/sandbox';
import { runRounds } from '../rounds';
import { absent, compare, type Row } from '../row';
import type { Settings, StagelessRowMaker } from '../run';

const count = 1_000;
const goal = { max: 3 } as const;
const neverAborted = new AbortController().signal;
const monitor = createBoxMonitor();

const text = (n: number): string =>
  `The harbour handled ${n} thousand containers in the quarter, and order #${n} is closed. `.repeat(
    20,
  );
const subjects = Array.from({ length: count }, (_none, n) => ({
  output: text(n),
  reference: text(n + (n % 2)),
}));

/** The share of the reference's words that the output has. */
const python = `
def evaluate(output, reference):
    words = set(output.split())
    wanted = reference.split()
    return sum(1 for word in wanted if word in words) / len(wanted)
`;
const javascript = `
function evaluate({ output, reference }) {
  const words = new Set(output.split(/\\s+/));
  const wanted = reference.split(/\\s+/);
  return wanted.filter((word) => words.has(word)).length / wanted.length;
}
`;

interface Language {
  readonly language: FunctionSource['language'];
  readonly source: string;
  /** Calls the function for each line of its input, prints the results, and reports its time. */
  readonly bare: string;
  readonly program: readonly [string, ...string[]];
  readonly file: string;
}

const node = nodeInBox();
const languages: readonly Language[] = [
  {
    language: 'python',
    source: python,
    bare: `${python}
import json, os, sys, time
begun = time.perf_counter()
for line in sys.stdin:
    print(json.dumps(evaluate(**json.loads(line))))
os.write(3, str((time.perf_counter() - begun) * 1000).encode())
`,
    program: ['/usr/bin/python3', '-I'],
    file: '/opt/assay/bare.py',
  },
  {
    language: 'javascript',
    source: javascript,
    bare: `${javascript}
const fs = require('node:fs');
const begun = performance.now();
const lines = fs.readFileSync(0, 'utf8').trim().split('\\n');
for (const line of lines) fs.writeSync(1, JSON.stringify(evaluate(JSON.parse(line))) + '\\n');
fs.writeSync(3, String(performance.now() - begun));
`,
    program: [node.program],
    file: '/opt/assay/bare.cjs',
  },
];

const jobOf = ({ program, file }: Language, content: string, input: string): BoxJob => ({
  files: [],
  tools: [{ path: file, content }],
  binds: node.binds,
  command: [...program, file],
  input,
  report: true,
});

async function runBare(language: Language): Promise<{ readonly bareMs: number }> {
  const input = subjects.map((subject) => `${JSON.stringify(subject)}\n`).join('');
  const { stdout, report } = await monitor.run(jobOf(language, language.bare, input), neverAborted);
  if (stdout.toString().trim().split('\n').length !== count) throw new Error('bare: wrong results');
  return { bareMs: Number(report) };
}

async function startBox(language: Language): Promise<{ readonly startMs: number }> {
  const { durationMs, end } = await monitor.run(jobOf(language, '', ''), neverAborted);
  if (end !== 'exit') throw new Error(`a box ended by ${end}`);
  return { startMs: durationMs };
}

/** In one call, and in calls of one subject each, as verdicts make them. */
async function runAssay(
  { language, source }: Language,
  isSeparate: boolean,
): Promise<{ readonly assayMs: number }> {
  const runner = createFunctionRunner(monitor);
  const functions = runner.forProject('bench');
  const inputs = subjects.map((subject) => ({
    valueOf: (name: string): unknown => new Map<string, unknown>(Object.entries(subject)).get(name),
    names: [],
  }));
  const own = { language, source, timeoutMs: 10_000 };
  const begun = performance.now();
  const outcomes = isSeparate
    ? (
        await Promise.all(
          inputs.map((each) => functions.run(own, [each], new AbortController().signal)),
        )
      ).flat()
    : await functions.run(own, inputs, neverAborted);
  const assayMs = performance.now() - begun;
  runner.close();
  const scored = outcomes.filter((each) => each.state === 'returned' && each.value !== null);
  if (scored.length !== count) throw new Error(`${count - scored.length} subjects are not scored`);
  return { assayMs };
}

async function measure(language: Language, settings: Settings): Promise<Row[]> {
  const measured = await runRounds(
    `F1 ${language.language}`,
    [
      { name: 'start', run: () => startBox(language) },
      { name: 'bare', run: () => runBare(language) },
      { name: 'together', run: () => runAssay(language, false) },
      { name: 'apart', run: () => runAssay(language, true) },
    ],
    settings,
  );
  const starts = measured('start', 'startMs');
  return ['together', 'apart'].map((mode) =>
    compare({
      figure: `F1 ${count} subjects, ${language.language}, ${mode}, less one box start`,
      unit: 'ms',
      assayValues: measured(mode, 'assayMs').map((ms, round) =>
        Math.max(0, ms - (starts[round] ?? 0)),
      ),
      floor: measured('bare', 'bareMs'),
      goal,
    }),
  );
}

export const f1: StagelessRowMaker = {
  name: 'F1',
  async make(settings) {
    const { state, reason } = await monitor.check();
    try {
      if (state !== 'ready')
        return [absent(`F1 ${count} subjects`, 'ms', goal, reason ?? 'there is no sandbox')];
      const rows: Row[] = [];
      for (const language of languages) rows.push(...(await measure(language, settings)));
      return rows;
    } finally {
      monitor.stop();
    }
  },
};
