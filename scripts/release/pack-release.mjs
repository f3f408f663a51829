// The steps of `npm run release`.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../data-dir.mjs';
import { Failure, reportFailure } from '../failure.mjs';
import { createProgress } from '../progress.mjs';
import { billOf, readProductionBill } from './bill-of-materials.mjs';
import { stageCli } from './cli-package.mjs';
import { stageSdk } from './sdk-package.mjs';
import { stageServer } from './server-package.mjs';
import { json, packFolder } from './stage-package.mjs';

/** @typedef {import('../progress.mjs').Progress} Progress */

const stages = { sdk: stageSdk, cli: stageCli, server: stageServer };

/** @typedef {keyof typeof stages} PackageName */

/** Names of the packages, in the order in which they are made. */
export const packageNames = /** @type {PackageName[]} */ (Object.keys(stages));

/**
 * Packs packages into a folder, each with its bill of materials, and writes the checksums of all
 * files to SHA256SUMS, as `sha256sum --check` reads them.
 * @param {readonly PackageName[]} names
 * @param {{ out: string, staging: string, progress: Progress }} where out: folder of the packed
 * files; staging: folder of the unpacked ones
 * @returns {Promise<Record<string, string>>} package name to the path of its packed file
 */
export async function packRelease(names, { out, staging, progress }) {
  mkdirSync(out, { recursive: true });
  const bill = readProductionBill();
  /** @type {Record<string, string>} */
  const packed = {};
  /** @type {string[]} */
  const files = [];
  for (const name of names) {
    const file = await progress.step(name, async () => {
      const { folder, contains } = await stages[name](join(staging, name), progress);
      const tarball = await packFolder(folder, out);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const billFile = tarball.replace(/\.tgz$/, '.cdx.json');
      writeFileSync(join(out, billFile), json(billOf(bill, manifest, contains)));
      files.push(tarball, billFile);
      return tarball;
    });
    packed[name] = join(out, file);
    const { size } = statSync(join(out, file));
    progress.line(`  ${join(out, file)}, ${(size / 1e6).toFixed(1)} MB`);
  }
  const sums = files.map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex')}  ${file}`,
  );
  writeFileSync(join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`);
  return packed;
}

/**
 * @param {string[]} args names of packages; all without any
 * @returns {Promise<void>}
 */
export async function main(args) {
  try {
    const unknown = args.filter((arg) => !packageNames.some((name) => name === arg));
    if (unknown.length > 0)
      throw new Failure(
        `There is no package "${unknown[0]}": write npm run release -- with some of ${packageNames.join(', ')}.`,
      );
    const names = packageNames.filter((name) => args.length === 0 || args.includes(name));
    const out = join(root, 'dist', 'release');
    rmSync(out, { recursive: true, force: true });
    const staging = join(root, 'dist', 'packages');
    await packRelease(names, { out, staging, progress: createProgress() });
    // esbuild's service process would otherwise live as long as this one.
    process.exit(0);
  } catch (error) {
    process.exit(reportFailure(error));
  }
}
