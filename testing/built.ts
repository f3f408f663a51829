import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { needsBuild } from '../scripts/build.mjs';
import { root } from '../scripts/data-dir.mjs';

/** This is read once, since loaded code stays unchanged. */
const isCurrent = !needsBuild();

/** The file of the product's build, if it is up to date, so that tests do not bundle it again. */
export function builtFile(name: string): string | null {
  const file = join(root, 'dist', `${name}.js`);
  return isCurrent && existsSync(file) ? file : null;
}
