// Packages at a path that the sandbox can read. If Assay runs as root, a sandbox runs as another
// user (reliability.md 2.2, 1), who may have no access to the folder of Assay; then packages are
// copied once to a folder readable by all.
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Owned by root, so that no other user can create files there first; `scripts/ordinary-user.mjs`
 * uses it too.
 */
const copies = '/var/lib/assay/tools';

/**
 * @param folder of an installed package, below a `node_modules`
 * @returns the folder itself, or that of a copy with all its dependencies, below a separate
 * `node_modules`
 */
export function reachableFolder(folder: string, into = copies): string {
  if (process.getuid?.() !== 0 || isOpen(folder)) return folder;
  const cut = folder.lastIndexOf('/node_modules/') + '/node_modules'.length;
  const [modules, name] = [folder.slice(0, cut), folder.slice(cut + 1)];
  const { version } = manifestOf(folder);
  const target = join(into, `${name.replaceAll('/', '+')}-${version}`);
  if (!existsSync(target)) copyTo(target, modules, folder);
  return join(target, 'node_modules', name);
}

/** Whether any user may traverse and read it. */
function isOpen(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) return false;
    if (at === dirname(at)) return true;
  }
}

/** Atomic, even if other processes copy at the same time. */
function copyTo(target: string, modules: string, folder: string): void {
  const copy = `${target}.${process.pid}-${randomBytes(4).toString('hex')}`;
  mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
  for (const each of withDependencies(modules, folder)) {
    cpSync(each, join(copy, 'node_modules', relative(modules, each)), {
      recursive: true,
      dereference: true,
      filter: (from) => from === each || !relative(each, from).split('/').includes('node_modules'),
    });
  }
  try {
    renameSync(copy, target);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/** The package and its dependencies, each where Node would find it. */
function withDependencies(modules: string, folder: string): ReadonlySet<string> {
  const found = new Set([folder]);
  for (const each of found) {
    const { dependencies, optionalDependencies, peerDependencies } = manifestOf(each);
    for (const name of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
    })) {
      const needed = resolveFrom(each, modules, name);
      if (needed !== null) found.add(needed);
    }
  }
  return found;
}

function resolveFrom(folder: string, modules: string, name: string): string | null {
  for (let at = folder; at.startsWith(modules); at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
  }
  const found = join(modules, name);
  return existsSync(join(found, 'package.json')) ? found : null;
}

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
