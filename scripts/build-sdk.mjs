// Builds the published package (`npm run build:sdk`): its entries as ES modules, with declarations,
// into sdk/dist/. No test of the product needs it; the SDK's tests bundle it with the same function.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { root } from './data-dir.mjs';
import { Failure, reportFailure } from './failure.mjs';
import { lastLine, run } from './processes.mjs';

const entries = {
  client: 'sdk/client/index.ts',
  otel: 'sdk/otel/index.ts',
  wrap: 'sdk/wrap/index.ts',
  langchain: 'sdk/langchain/index.ts',
};

/**
 * The maximum gzipped size of the client with the files that it imports, which a host loads together
 * with its own code.
 */
export const clientLimitBytes = 12_000;

/**
 * @returns {Promise<Map<string, string>>} file name without its ending to code: minified,
 * runtime-neutral, importing only each other
 */
export async function bundleSdk() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: 'sdk/dist',
    bundle: true,
    // Evaluations are loaded when one runs.
    splitting: true,
    chunkNames: '[name]-[hash]',
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
  });
  return new Map(
    outputFiles.map(({ path, text }) => [path.replace(/^.*[\\/]([\w-]+)\.js$/, '$1'), text]),
  );
}

/**
 * @param {ReadonlyMap<string, string>} files of `bundleSdk`
 * @param {string} entry
 * @returns {number} bytes of the entry and the files that it imports, each gzipped
 */
export function gzippedBytes(files, entry) {
  const loaded = new Set([entry]);
  for (const name of loaded)
    for (const [, imported = ''] of (files.get(name) ?? '').matchAll(
      /\b(?:from|import)\s*"\.\/([\w-]+)\.js"/g,
    ))
      loaded.add(imported);
  return [...loaded].reduce(
    (sum, name) => sum + gzipSync(files.get(name) ?? '', { level: 9 }).length,
    0,
  );
}

/** @returns {Promise<void>} */
async function main() {
  const dist = join(root, 'sdk', 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const files = await bundleSdk();
  for (const [name, code] of files) writeFileSync(join(dist, `${name}.js`), code);
  for (const name of Object.keys(entries)) {
    const bytes = gzippedBytes(files, name);
    if (name === 'client' && bytes > clientLimitBytes)
      throw new Failure(
        `The client has ${bytes} bytes gzipped; it may have at most ${clientLimitBytes}.`,
      );
    process.stdout.write(`sdk/dist/${name}.js, ${(bytes / 1000).toFixed(1)} kB gzipped\n`);
  }
  await writeDeclarations(dist);
}

/**
 * @param {string} dist
 * @returns {Promise<void>}
 */
async function writeDeclarations(dist) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = await run(process.execPath, [tsc, '-p', 'sdk'], { cwd: root });
  if (code !== 0)
    throw new Failure(`The declarations could not be made: ${lastLine(output, /error/i)}`);
  const types = join(dist, 'types');
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  )) {
    const file = join(types, name);
    // Installed as ES modules, whose imports resolve only with full file names.
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/(from ')(\.\.?\/[^']+)(')/g, '$1$2.js$3'),
    );
  }
  process.stdout.write('sdk/dist/types\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().then(
    // esbuild's service process would otherwise live as long as this one.
    () => process.exit(0),
    (error) => process.exit(reportFailure(error)),
  );
}
