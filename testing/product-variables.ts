import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/data-dir.mjs';

/** The files that read the environment. */
const source = [
  'server/platform/env.ts',
  'server/platform/sso-env.ts',
  'scripts/settings.mjs',
  'scripts/data-dir.mjs',
]
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('');

/** Whether the product reads an environment variable of this name. */
export const isVariable = (name: string): boolean =>
  /^[A-Z][A-Z_]+$/.test(name) && new RegExp(`\\b${name}\\b`).test(source);
