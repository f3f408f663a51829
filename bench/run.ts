import { machine, type Report, save, table } from './report';
import type { Row } from './row';
import { openStage, type Stage } from './stage';

/** The options with which a bench was called. */
export interface Settings {
  /** About 30 s; fails on wrong results only. */
  readonly smoke: boolean;
  /** As in `Rounds`. */
  readonly rounds: number;
  readonly discarded: number;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

export interface RowMaker {
  readonly name: string;
  make(stage: Stage, settings: Settings): Promise<Row[]>;
}

/**
 * Eight rounds, including the discarded one; fewer (`--rounds=2`) are for trials and are never
 * saved.
 */
const fullRounds = 7;

/** Rows that need no server. */
export interface StagelessRowMaker {
  readonly name: string;
  make(settings: Settings): Promise<Row[]>;
}

/** Runs an area's rows on one stage: a database, and the product's processes. */
export async function runBench(bench: string, makers: readonly RowMaker[]): Promise<void> {
  const stage = await openStage();
  try {
    const on = makers.map((maker) => ({
      name: maker.name,
      make: (settings: Settings) => maker.make(stage, settings),
    }));
    await runRows(bench, on, '; fsync and synchronous_commit on');
  } finally {
    await stage.close();
  }
}

/**
 * Runs an area's rows one after the other, and prints one JSON line per round and the table; with
 * `--json` it prints only the report, and the lines go to standard error. A wrong result ends the
 * run with exit code 1; a missed goal does not.
 * @param conditions further conditions of the run, for the end of its line in the document
 */
export async function runRows(
  bench: string,
  makers: readonly StagelessRowMaker[],
  conditions: string,
): Promise<void> {
  const args = process.argv.slice(2);
  const [smoke, json, shouldSave] = ['--smoke', '--json', '--save'].map((name) =>
    args.includes(name),
  );
  const only = args
    .find((arg) => arg.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',');
  const rounds = Number(
    args.find((arg) => arg.startsWith('--rounds='))?.slice('--rounds='.length) ?? fullRounds,
  );
  const lines = json === true ? process.stderr : process.stdout;
  const settings: Settings = {
    smoke: smoke === true,
    rounds: smoke === true ? 1 : rounds,
    discarded: smoke === true ? 0 : 1,
    log: (line) => void lines.write(`${JSON.stringify(line)}\n`),
  };
  const began = performance.now();
  const rows: Row[] = [];
  for (const maker of makers) {
    if (only !== undefined && !only.includes(maker.name)) continue;
    const start = performance.now();
    for (const row of await maker.make(settings)) rows.push(settings.smoke ? asSmoke(row) : row);
    settings.log({ row: maker.name, seconds: Math.round((performance.now() - start) / 100) / 10 });
  }
  const report: Report = { bench, measured: measured(settings, began, conditions), rows };
  if (shouldSave === true && !settings.smoke && only === undefined && rounds >= fullRounds)
    save(report);
  process.stdout.write(json === true ? `${JSON.stringify(report)}\n` : `\n${table(rows)}\n`);
}

function measured({ smoke, rounds }: Settings, began: number, conditions: string): string {
  if (smoke) return 'Smoke run: right or wrong, no figures.';
  const minutes = Math.round((performance.now() - began) / 60_000);
  return `Measured ${new Date().toISOString().slice(0, 10)} on ${machine()}, ${rounds} rounds, ${minutes} min${conditions}.`;
}

/** A short round is not a measurement. */
function asSmoke(row: Row): Row {
  return {
    ...row,
    met: null,
    note: ['smoke run, no verdict', row.note].filter((each) => each !== '').join('; '),
  };
}
