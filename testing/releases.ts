import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/data-dir.mjs';
import { isAlive } from '../scripts/processes.mjs';
import { bundleOf, type Child, type Entry, startFile } from './processes';

/** Another release of the product in a separate folder, with its own migrations. */
export interface Release {
  /** Its root, with `db/migrations`. */
  readonly folder: string;
  /** Starts a process of it without waiting for its readiness. */
  start(entry: Entry, variables: Readonly<Record<string, string>>): Child;
  remove(): void;
}

const dist = join(root, 'dist');

/** Below `dist`, from where packages are found. Deletes the folders of runs that were killed. */
function makeFolder(): string {
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) {
    const owner = /^release-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner)))
      rmSync(join(dist, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(dist, `release-${process.pid}-`));
}

function openRelease(folder: string, fileOf: (entry: Entry) => string): Release {
  return {
    folder,
    start: (entry, variables) => startFile(entry, fileOf(entry), variables),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A copy of this release; a test may add migrations to it. */
export async function copyRelease(entries: readonly Entry[]): Promise<Release> {
  const folder = makeFolder();
  mkdirSync(join(folder, 'dist'));
  cpSync(join(root, 'db', 'migrations'), join(folder, 'db', 'migrations'), { recursive: true });
  const fileOf = (entry: Entry): string => join(folder, 'dist', `${entry}.js`);
  for (const entry of entries) copyFileSync(await bundleOf(entry), fileOf(entry));
  return openRelease(folder, fileOf);
}
