// The code of the package `@assay/sdk` (`npm run release`): its entries in files that import only
// each other. The SDK's tests bundle it with the same function.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './data-dir.mjs';
import { Failure } from './failure.mjs';
import { lastLine, run } from './processes.mjs';

const entries = {
  client: 'sdk/client/index.ts',
  otel: 'sdk/otel/index.ts',
  wrap: 'sdk/wrap/index.ts',
  langchain: 'sdk/langchain/index.ts',
};

/**
 * The maximum gzipped size of the client with the files that it imports, which a host loads
 * together with its own code.
 */
export const clientLimitBytes = 12_000;

/**
 * @param {'esm' | 'cjs'} [format]
 * @returns {Promise<Map<string, string>>} file name without its ending to code: minified,
 * runtime-neutral, importing only each other
 */
export async function bundleSdk(format = 'esm') {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: 'sdk/dist',
    bundle: true,
    // Evaluations are loaded when one runs; CommonJS has them in the same file.
    splitting: format === 'esm',
    chunkNames: '[name]-[hash]',
    // For Node, esbuild names a CommonJS file's exports so that ES modules can import them by name.
    platform: format === 'esm' ? 'neutral' : 'node',
    format,
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

/**
 * Writes the code of the package: ES modules with their declarations, and the same as CommonJS in
 * `cjs/`, whose package.json makes Node and TypeScript read its files so.
 * @param {string} dist an existing folder
 * @returns {Promise<void>}
 */
export async function buildSdk(dist) {
  for (const format of /** @type {const} */ (['esm', 'cjs'])) {
    const folder = format === 'esm' ? dist : join(dist, 'cjs');
    mkdirSync(folder, { recursive: true });
    const files = await bundleSdk(format);
    const bytes = gzippedBytes(files, 'client');
    if (format === 'esm' && bytes > clientLimitBytes)
      throw new Failure(
        `The client has ${bytes} bytes gzipped; it may have at most ${clientLimitBytes}.`,
      );
    for (const [name, code] of files) writeFileSync(join(folder, `${name}.js`), code);
  }
  await writeDeclarations(join(dist, 'types'));
  cpSync(join(dist, 'types'), join(dist, 'cjs', 'types'), { recursive: true });
  writeFileSync(join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
}

/**
 * @param {string} folder
 * @returns {Promise<void>}
 */
async function writeDeclarations(folder) {
  const tsc = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const args = [tsc, '-p', 'sdk', '--outDir', folder];
  const { code, output } = await run(process.execPath, args, { cwd: root });
  if (code !== 0)
    throw new Failure(`The declarations could not be created: ${lastLine(output, /error/i)}`);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  )) {
    const file = join(folder, name);
    // Imports of an ES module resolve only with full file names.
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/(from ')(\.\.?\/[^']+)(')/g, '$1$2.js$3'),
    );
  }
}
