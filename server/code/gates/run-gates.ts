// All gates of a job. Without a sandbox each is `not_run`, which is not a verdict on the code.
import { type BoxMonitor, faultOfPaths } from '../../sandbox';
import { compileGates } from './compile';
import type { GateJob, GateResult, RunGates } from './gate';
import { gateLanguages } from './languages';
import { runCompile } from './run-compile';
import { runTests } from './run-tests';
import { withSecondChance } from './second-chance';
import { failUnparsable } from './unparsable';

/** @param monitor of the sandboxes, the only place where foreign code runs */
export function createRunGates(monitor: BoxMonitor): RunGates {
  const box = withSecondChance(monitor);
  return async (job, signal) => {
    const compiled: GateResult[] = [];
    const files = job.files.filter(({ path }) => faultOfPaths([path]) === null);
    for (const gate of gatesOf(job))
      compiled.push(
        await runCompile(box, gate, { files, tier: job.tier, micro: job.micro === true }, signal),
      );
    const results = await failUnparsable(compiled, files);
    if (job.runTests === null || job.micro === true) return results;
    return [...results, await runTests(box, { ...job, files }, job.runTests, signal)];
  };
}

function gatesOf({ files }: GateJob): typeof compileGates {
  const languages = gateLanguages(files.map(({ path }) => path));
  return compileGates.filter(({ language }) => languages.includes(language));
}

/**
 * @returns the compile commands for files of these names, as in QEL-27
 * @internal Only tests call it.
 */
export function listGates(paths: readonly string[]): readonly string[] {
  const languages = gateLanguages(paths);
  return compileGates
    .filter(({ language }) => languages.includes(language))
    .map(({ command }) => command);
}
