// The code of the package `@assay/sdk` (`npm run release`): the client and the OpenTelemetry names,
// each in one file without imports. The SDK's tests bundle it with the same function.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './data-dir.mjs';
import { Failure } from './failure.mjs';
import { lastLine, run } from './processes.mjs';

const entries = { client: 'sdk/client/index.ts', otel: 'sdk/otel/index.ts' };

/** The maximum gzipped size of the client, which a host loads together with its own code. */
export const clientLimitBytes = 12_000;

/**
 * @param {'esm' | 'cjs'} [format]
 * @returns {Promise<Map<string, string>>} entry name to code: minified, without imports
 */
export async function bundleSdk(format = 'esm') {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: 'sdk/dist',
    bundle: true,
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
    outputFiles.map(({ path, text }) => [path.replace(/^.*[\\/](\w+)\.js$/, '$1'), text]),
  );
}

/**
 * @param {string} code
 * @returns {number} bytes of the gzipped code
 */
export function gzippedBytes(code) {
  return gzipSync(code, { level: 9 }).length;
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
    for (const [name, code] of await bundleSdk(format)) {
      const bytes = gzippedBytes(code);
      // Around CommonJS is glue of esbuild, 0.2 kB.
      if (name === 'client' && format === 'esm' && bytes > clientLimitBytes)
        throw new Failure(
          `The client has ${bytes} bytes gzipped; it may have ${clientLimitBytes} at most.`,
        );
      writeFileSync(join(folder, `${name}.js`), code);
    }
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
    throw new Failure(`The declarations could not be made: ${lastLine(output, /error/i)}`);
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
