// Builds for `npm start` if the sources have changed since the last build: the console (next build)
// and the plain Node processes (esbuild into dist/). `node scripts/build.mjs` builds explicitly.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleOptions } from './bundle-options.mjs';
import { isPackage, makeDataDir, resolveDataDir, root } from './data-dir.mjs';
import { Failure, reportFailure } from './failure.mjs';
import { createProgress } from './progress.mjs';
import { lastLine, run } from './processes.mjs';

const sourceFolders = ['app', 'server', 'db', 'workers', 'sdk', 'public', 'prompts'];
const sourceFiles =
  /^(package(-lock)?\.json|tsconfig\.json|next\.config\.[cm]?[jt]s|postcss\.config\.[cm]?[jt]s|instrumentation(-client)?\.ts|proxy\.ts|middleware\.ts)$/;

const stampFile = join(root, '.next', 'assay-build.json');

/** esbuild's outputs and their entry files. */
const entries = {
  edge: 'server/edge.ts',
  'gateway-thread': 'server/gateway/serve-thread.ts',
  thread: 'server/thread.ts',
  worker: 'workers/main.ts',
  'background-thread': 'workers/background-thread.ts',
  'box-launcher': 'workers/box-launcher.ts',
  migrate: 'db/migrate-main.ts',
  admin: 'server/admin.ts',
  cli: 'sdk/cli/main.ts',
};

/**
 * @param {string} dir
 * @returns {string[]} all files below it except tests, in a fixed order
 */
function filesBelow(dir) {
  if (!existsSync(dir)) return [];
  const found = readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    // Build output.
    if (entry.name === 'dist') return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
  return found.filter((path) => !/\.test\.tsx?$/.test(path)).sort();
}

/** @returns {string} */
function sourceHash() {
  const hash = createHash('sha256');
  const top = readdirSync(root)
    .filter((name) => sourceFiles.test(name))
    .sort();
  const files = [
    ...top.map((name) => join(root, name)),
    ...sourceFolders.flatMap((name) => filesBelow(join(root, name))),
  ];
  // The build scripts are part of the build's input.
  const buildScripts = ['build.mjs', 'bundle-options.mjs'].map((name) =>
    join(root, 'scripts', name),
  );
  for (const file of [...files, ...buildScripts]) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** @returns {boolean} */
export function needsBuild() {
  if (isPackage) return false;
  try {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8'));
    const isThere =
      existsSync(join(root, '.next', 'BUILD_ID')) &&
      Object.keys(entries).every((name) => existsSync(join(root, 'dist', `${name}.js`)));
    return !isThere || stamp.sources !== sourceHash();
  } catch {
    return true;
  }
}

/**
 * @param {{ log: string }} options log is the file that takes the output of both builds
 */
export async function build({ log }) {
  const sources = sourceHash();
  rmSync(stampFile, { force: true });
  writeFileSync(log, '');
  const outcomes = await Promise.allSettled([buildWeb(log), bundle()]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected')
      throw outcome.reason instanceof Failure
        ? new Failure(`${outcome.reason.message} (log: ${log})`)
        : outcome.reason;
  }
  mkdirSync(join(root, '.next'), { recursive: true });
  writeFileSync(stampFile, `${JSON.stringify({ sources })}\n`);
}

/**
 * @param {string} log
 */
async function buildWeb(log) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const tsconfig = join(root, 'tsconfig.json');
  const written = readFileSync(tsconfig);
  const result = await run(process.execPath, [next, 'build'], { cwd: root, env, log });
  // Next adds missing members to tsconfig.json, but a build must leave the checkout unchanged.
  if (!readFileSync(tsconfig).equals(written)) writeFileSync(tsconfig, written);
  if (result.code === 0) return;
  throw new Failure(`The console could not be built: ${lastLine(result.output, /error/i)}`);
}

/** @type {import('esbuild').BuildOptions} */
export const processBundles = {
  absWorkingDir: root,
  entryPoints: entries,
  outdir: 'dist',
  ...bundleOptions,
};

/**
 * Bundles the plain Node processes.
 * @param {string} [outdir] a folder directly in the checkout: the processes find others next to it
 */
export async function bundle(outdir = 'dist') {
  const { build: esbuild, stop } = await import('esbuild');
  try {
    await esbuild({ ...processBundles, outdir });
  } catch (error) {
    throw new Failure(
      `The server processes could not be built: ${lastLine(error instanceof Error ? error.message : String(error), /error/i)}`,
    );
  } finally {
    // Its service process would otherwise live as long as this one.
    await stop();
  }
}

/**
 * Bundles the plain Node processes, and again whenever one of their files changes.
 * @param {{ onChange: () => void, say: (line: string) => void }} hear onChange is called after each
 * bundling except the first; say receives bundling errors
 * @returns {Promise<() => Promise<void>>} ends the watch
 */
export async function watchBundles({ onChange, say }) {
  // The bundles no longer match the last build.
  rmSync(stampFile, { force: true });
  const { context, stop } = await import('esbuild');
  let isFirst = true;
  /** @type {() => void} */
  let isBundled = () => {};
  /** @type {Promise<void>} */
  const bundled = new Promise((resolve) => {
    isBundled = resolve;
  });
  /** @type {import('esbuild').Plugin} */
  const changes = {
    name: 'changes',
    setup: (bundling) => {
      bundling.onEnd(({ errors }) => {
        for (const { text, location } of errors)
          say(`! ${location ? `${location.file}:${location.line}: ` : ''}${text}`);
        if (!isFirst && errors.length === 0) onChange();
        isFirst = false;
        isBundled();
      });
    },
  };
  const watching = await context({ ...processBundles, plugins: [changes] });
  await watching.watch();
  await bundled;
  return async () => {
    await watching.dispose();
    await stop();
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const dataDir = resolveDataDir();
  try {
    makeDataDir(dataDir);
    await createProgress().step('Built', () => build({ log: join(dataDir, 'logs', 'build.log') }));
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}
