// Toolchains of this machine, as a box can see them: what lies under /usr, and single packages
// bound next to it. What lies in a home folder is not used: a box has no homes.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reachableFolder } from './reachable';

export interface Tool {
  /** Absolute path inside the box. */
  readonly program: string;
  /** Arguments that come before all others: the script, where the program is an interpreter. */
  readonly args: readonly string[];
  readonly binds: readonly { readonly from: string; readonly to: string }[];
  /** Arguments that make it say its version. */
  readonly versionArgs: readonly string[];
  /** Where another program compiles: the one whose version counts. */
  readonly compiler?: string;
}

/** @returns null when it is not installed below /usr */
export function findProgram(
  name: string,
  versionArgs: readonly string[] = ['--version'],
): Tool | null {
  for (const folder of ['/usr/bin', '/usr/local/bin']) {
    const path = join(folder, name);
    if (!existsSync(path)) continue;
    // Links of Debian lead through /etc; the box is told where they end.
    const real = realpathSync(path);
    if (real.startsWith('/usr/')) return { program: real, args: [], binds: [], versionArgs };
  }
  return null;
}

/**
 * @returns folder of a package that is installed next to Assay, or of a copy that a box can see;
 * null when there is none
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
 * Where `npm run box:packages` puts packages of Node (`scripts/box-packages.mjs`); found from
 * everywhere in a box.
 */
const boxPackages = '/var/lib/assay/box-packages/node_modules';

/** @returns what binds them, read-only; nothing where the operator has installed none */
export function boxPackageBinds(): Tool['binds'] {
  return existsSync(boxPackages) ? [{ from: boxPackages, to: '/node_modules' }] : [];
}
