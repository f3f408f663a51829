/**
 * check:realmistake: imports the verdicts of 12 real binary judges on a cluster of its own and prints catch rate, false rejections,
 * agreement and kappa as Assay measures them beside the numbers of the shared data. Exit code 1 on any difference in the last digit, 2
 * where the data is not there.
 */
import { createTestDatabase, createTestRuntime } from '../db/testing';
import { startTestCluster } from '../scripts/temporary-cluster.mjs';
import { compareJudges, type Compared, findFiles } from './realmistake/compare';
import { openDoor } from './realmistake/door';

function line({ judge, figure, ours, expected }: Compared): string {
  const said = ours === expected ? 'same' : 'DIFFERENT';
  return [judge.padEnd(28), figure.padEnd(17), (ours ?? 'none').padStart(8), expected.padStart(8), ` ${said}`].join(' ');
}

async function main(): Promise<number> {
  const files = findFiles();
  if (files === null) {
    process.stderr.write('The shared data is not there: set ASSAY_DATA to its folder.\n');
    return 2;
  }
  const cluster = await startTestCluster();
  try {
    const database = await createTestDatabase(cluster.url);
    const runtime = createTestRuntime(database.url);
    try {
      const compared = await compareJudges(await openDoor(runtime), files);
      const different = compared.filter(({ ours, expected }) => ours !== expected).length;
      const head = ['judge'.padEnd(28), 'figure'.padEnd(17), 'Assay'.padStart(8), 'expected'.padStart(8)].join(' ');
      process.stdout.write([head, ...compared.map(line), `${compared.length} figures, ${different} different`, ''].join('\n'));
      return different === 0 && compared.length > 0 ? 0 : 1;
    } finally {
      await runtime.close();
      await database.drop();
    }
  } finally {
    await cluster.stop();
  }
}

process.exitCode = await main();
