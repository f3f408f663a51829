// Steps that all packages of a release share: folder, manifest and `npm pack`.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../data-dir.mjs';
import { Failure } from '../failure.mjs';
import { lastLine, run } from '../processes.mjs';

/**
 * @typedef {object} StagedPackage
 * @property {string} folder with the content of the packed file
 * @property {(name: string) => boolean} contains whether the npm package `name@version` is part of
 * it, bundled or as a dependency
 */

/**
 * @typedef {{ version: string, license: string, engines: { node: string }, dependencies:
 * Record<string, string> }} RootManifest
 * @returns {RootManifest} package.json of the checkout
 */
export function readRootManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/**
 * Starts the folder of a package with its manifest, its README and the licence. The version,
 * licence and Node versions are those of the checkout, unless the manifest has its own.
 * @param {string} folder is emptied first
 * @param {{ manifest: Record<string, unknown>, readme: string }} content readme: path in the
 * checkout; `{version}` in it becomes the version
 */
export function startPackage(folder, { manifest, readme }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { version, license, engines } = readRootManifest();
  writeText(folder, 'package.json', json({ license, engines, ...manifest, version }));
  const text = readFileSync(join(root, readme), 'utf8');
  writeText(folder, 'README.md', text.replaceAll('{version}', version));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/**
 * The manifest's members for a package whose purpose is its program: the command `assay`, and
 * `program` for code that imports the package.
 * @param {string} program path in the package
 */
export const programMembers = (program) => ({
  type: 'module',
  bin: { assay: program },
  exports: {
    '.': {
      import: { types: './index.d.ts', default: './index.js' },
      require: { types: './index.d.cts', default: './index.cjs' },
    },
    './package.json': './package.json',
  },
});

/**
 * Writes the files that `programMembers` names.
 * @param {string} folder of the package
 * @param {string} program path in it
 */
export function writeProgramPath(folder, program) {
  const path = JSON.stringify(`./${program}`);
  const declaration =
    '/** Absolute path of the program, for `spawn(process.execPath, [program, …])`. */\nexport declare const program: string;\n';
  writeText(folder, 'index.d.ts', declaration);
  writeText(folder, 'index.d.cts', declaration);
  writeText(
    folder,
    'index.js',
    `import { fileURLToPath } from 'node:url';\nexport const program = fileURLToPath(new URL(${path}, import.meta.url));\n`,
  );
  writeText(
    folder,
    'index.cjs',
    `exports.program = require('node:path').join(__dirname, ${path});\n`,
  );
}

/** The files that `writeProgramPath` writes. */
export const programPathFiles = ['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts'];

/**
 * @param {string} folder
 * @param {string} name path in it; missing folders are created
 * @param {string} text
 */
export function writeText(folder, name, text) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * @param {unknown} value
 * @returns {string} as in a file
 */
export const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

/**
 * @param {string} folder of a package
 * @param {string} to folder of the packed file
 * @returns {Promise<string>} name of the packed file
 */
export async function packFolder(folder, to) {
  mkdirSync(to, { recursive: true });
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', to];
  const { code, output } = await run('npm', args, { cwd: folder });
  const name = lastLine(output);
  if (code === 0 && name.endsWith('.tgz')) return name;
  throw new Failure(`${folder} could not be packed: npm pack ended with code ${code}. ${name}`);
}
