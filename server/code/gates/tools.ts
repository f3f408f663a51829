// Toolchains of this machine as a sandbox sees them: programs under /usr, and single packages bound
// next to them. Programs in a home folder are not used: a sandbox has no homes.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reachableFolder } from './reachable';

export interface Tool {
  /** Absolute path inside the sandbox. */
  readonly program: string;
  /** Arguments before all others: the script, if the program is an interpreter. */
  readonly args: readonly string[];
  readonly binds: readonly { readonly from: string; readonly to: string }[];
  /** Arguments that print its version. */
  readonly versionArgs: readonly string[];
  /** Set if another program compiles: the one whose version counts. */
  readonly compiler?: string;
}

/** @returns null if it is not installed below /usr */
export function findProgram(
  name: string,
  versionArgs: readonly string[] = ['--version'],
): Tool | null {
  for (const folder of ['/usr/bin', '/usr/local/bin']) {
    const path = join(folder, name);
    if (!existsSync(path)) continue;
    // Debian's links go through /etc, so the sandbox gets their targets.
    const real = realpathSync(path);
    if (real.startsWith('/usr/')) return { program: real, args: [], binds: [], versionArgs };
  }
  return null;
}

/**
 * @returns folder of a package installed next to Assay, or of a copy readable in a sandbox; null if
 * there is none
 */
export function findPackage(name: string): string | null {
  for (const start of [dirname(fileURLToPath(import.meta.url)), process.cwd()]) {
    for (let folder = start; ; folder = dirname(folder)) {
      const found = join(folder, 'node_modules', name);
      if (existsSync(join(found, 'package.json'))) return reachableFolder(realpathSync(found));
      if (folder === dirname(folder)) break;
    }
  }
  return null;
}

/**
 * The folder where `npm run box:packages` puts Node packages (`scripts/box-packages.mjs`); found
 * from any folder in a sandbox.
 */
const boxPackages = '/var/lib/assay/box-packages/node_modules';

/** @returns the read-only bindings; none if the operator has installed no packages */
export function boxPackageBinds(): Tool['binds'] {
  return existsSync(boxPackages) ? [{ from: boxPackages, to: '/node_modules' }] : [];
}
