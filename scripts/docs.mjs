// `npm run docs`: writes the API reference from the routes, then builds the site from docs/ into
// dist/docs, which the console serves at /docs. With --reference it only writes the reference.
import { join } from 'node:path';
import { root } from './data-dir.mjs';
import { Failure, reportFailure } from './failure.mjs';
import { isNodeTooOld } from './node-version.mjs';
import { run } from './processes.mjs';

/** @param {string} task @param {string[]} args */
async function step(task, args) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, NODE_ENV: 'production' };
  const result = await run(process.execPath, args, { cwd: root, env });
  if (result.code !== 0) throw new Failure(`${task} failed:\n${result.output.trim()}`);
}

async function main() {
  const bin = (/** @type {string[]} */ ...path) => join(root, 'node_modules', ...path);
  await step('Writing the API reference', [
    bin('tsx', 'dist', 'cli.mjs'),
    join('scripts', 'docs', 'write-reference.ts'),
  ]);
  if (process.argv.includes('--reference')) return;
  await step('Building the site', [bin('vitepress', 'bin', 'vitepress.js'), 'build', 'docs']);
  process.stdout.write('The site is in dist/docs. The console serves it at /docs.\n');
}

if (!isNodeTooOld()) {
  main().catch((/** @type {unknown} */ error) => {
    process.exitCode = reportFailure(error);
  });
}
