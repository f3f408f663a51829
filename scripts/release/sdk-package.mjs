// The package of the TypeScript client. Its manifest is that of sdk/package.json.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSdk } from '../build-sdk.mjs';
import { root } from '../data-dir.mjs';
import { startPackage } from './stage-package.mjs';

/**
 * @param {string} folder
 * @returns {Promise<import('./stage-package.mjs').StagedPackage>}
 */
export async function stageSdk(folder) {
  const manifest = JSON.parse(readFileSync(join(root, 'sdk', 'package.json'), 'utf8'));
  startPackage(folder, { readme: 'scripts/release/sdk.md', manifest });
  mkdirSync(join(folder, 'dist'));
  await buildSdk(join(folder, 'dist'));
  return { folder, contains: () => false };
}
