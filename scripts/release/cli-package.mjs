// The package of the command line: the commands that call the HTTP API, in one file without
// dependencies.
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOptions } from '../bundle-options.mjs';
import { root } from '../data-dir.mjs';
import {
  programMembers,
  programPathFiles,
  startPackage,
  writeProgramPath,
} from './stage-package.mjs';

const program = 'dist/cli.js';

/**
 * @param {string} folder
 * @returns {Promise<import('./stage-package.mjs').StagedPackage>}
 */
export async function stageCli(folder) {
  const { build } = await import('esbuild');
  startPackage(folder, {
    readme: 'scripts/release/cli.md',
    manifest: {
      name: '@assay/cli',
      description: 'Command line of Assay: sends turns, runs evaluations, gates builds',
      ...programMembers(program),
      files: ['dist', ...programPathFiles],
    },
  });
  writeProgramPath(folder, program);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['sdk/cli/main.ts'],
    outfile: join(folder, program),
    ...bundleOptions,
    banner: { js: `#!/usr/bin/env node\n${bundleOptions.banner?.js ?? ''}` },
    metafile: true,
  });
  chmodSync(join(folder, program), 0o755);
  const bundled = new Set(Object.keys(metafile.inputs).flatMap(packageOf));
  return { folder, contains: (name) => bundled.has(name) };
}

/**
 * @param {string} input a file of the bundle
 * @returns {string[]} `name@version` of the npm package that has it
 */
function packageOf(input) {
  const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
  if (folder === undefined) return [];
  /** @type {{ name: string, version: string }} */
  const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return [`${name}@${version}`];
}
