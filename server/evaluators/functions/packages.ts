import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxJob } from '../../sandbox';
import type { FunctionSource } from './call';

/** Folders of this machine with packages that functions may import; null if none. */
export interface PackageFolders {
  /** A `node_modules`. */
  readonly node: string | null;
  /** A folder of `pip install --target`. */
  readonly python: string | null;
}

export const noPackages: PackageFolders = { node: null, python: null };

/** Where `npm run box:packages` puts Node packages (`scripts/box-packages.mjs`). */
const boxPackages = '/var/lib/assay/box-packages';

/**
 * @param folder the operator's, with `node_modules` and `python` in it, or one of them; null means
 *   the packages that proof gates see
 * @throws Error if the folder has neither
 */
export function findPackages(folder: string | null): PackageFolders {
  const at = folder ?? boxPackages;
  const [node = null, python = null] = ['node_modules', 'python'].map((name) => {
    const path = join(at, name);
    return existsSync(path) ? path : null;
  });
  if (folder !== null && node === null && python === null)
    throw new Error(
      `ASSAY_FUNCTION_PACKAGES: ${folder} has no folder "node_modules" or "python"; install packages there`,
    );
  return { node, python };
}

const pythonInBox = '/opt/assay/python';

/** Node finds packages in `/node_modules` from every folder. */
export function packagesIn(
  { node, python }: PackageFolders,
  language: FunctionSource['language'],
): { readonly binds: NonNullable<BoxJob['binds']>; readonly pythonPath: string | null } {
  if (language === 'javascript')
    return { binds: node === null ? [] : [{ from: node, to: '/node_modules' }], pythonPath: null };
  return python === null
    ? { binds: [], pythonPath: null }
    : { binds: [{ from: python, to: pythonInBox }], pythonPath: pythonInBox };
}
