/**
 * check:data: starts a whole instance on a separate cluster, imports other people's judges and
 * labels through its HTTP API, and prints every resulting figure next to the one in the shared data
 * (`expected.json`). Exit code 1 on any difference in the last digit, 2 if the data is missing.
 */
import { checkSet, hasData } from './data/check-set';
import type { Compared } from './data/figures';
import { dataSets } from './data/sets';
import { startInstance } from './data/wires';

function describe(compared: readonly Compared[]): string {
  const width = Math.max(...compared.map(({ figure }) => figure.length));
  const lines = compared.map(({ figure, actual, expected }) => {
    const result = actual === expected ? 'same' : 'DIFFERENT';
    return `  ${[figure.padEnd(width), (actual ?? 'none').padStart(8), (expected ?? 'none').padStart(8)].join(' ')}  ${result}`;
  });
  const head = `  ${['figure'.padEnd(width), 'Assay'.padStart(8), 'expected'.padStart(8)].join(' ')}`;
  return `${[compared[0]?.set ?? '', head, ...lines, ''].join('\n')}\n`;
}

async function main(): Promise<number> {
  const missing = dataSets.filter((set) => !hasData(set));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    process.stderr.write(
      `The shared data is not there (${names}): set ASSAY_DATA to its folder.\n`,
    );
    return 2;
  }
  const instance = await startInstance();
  try {
    const all: Compared[] = [];
    for (const set of dataSets) {
      const compared = await checkSet(set, await instance.open());
      process.stdout.write(describe(compared));
      all.push(...compared);
    }
    const different = all.filter(({ actual, expected }) => actual !== expected).length;
    process.stdout.write(
      `${all.length} figures of ${dataSets.length} data sets, ${different} different\n`,
    );
    return different === 0 ? 0 : 1;
  } finally {
    await instance.stop();
  }
}

process.exitCode = await main();
