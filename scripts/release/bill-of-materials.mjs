// Bills of materials of a release (CycloneDX 1.5, JSON), written by `npm sbom`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../data-dir.mjs';
import { Failure } from '../failure.mjs';
import { lastLine } from '../processes.mjs';
import { json, readRootManifest, writeText } from './stage-package.mjs';

/**
 * @typedef {{ 'bom-ref': string, name: string, version: string, purl: string, description?: string,
 * [member: string]: unknown }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Dependency
 * @typedef {{ metadata: { component: Component, [member: string]: unknown }, components:
 * Component[], dependencies: Dependency[], [member: string]: unknown }} Bill
 */

/** The largest bill that npm may print. */
const maxBillBytes = 256 * 1024 * 1024;

/**
 * The packages of the lock file without those that only development needs. `npm sbom --omit dev` in
 * the checkout omits packages that both need, and refuses conflicts of development packages.
 * @returns {Bill}
 */
export function readProductionBill() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bill-'));
  try {
    const { devDependencies: _, ...manifest } = /** @type {Record<string, unknown>} */ ({
      ...readRootManifest(),
    });
    /** @type {{ packages: Record<string, { dev?: boolean }> }} */
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const packages = Object.fromEntries(
      Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true),
    );
    writeText(folder, 'package.json', json(manifest));
    writeText(
      folder,
      'package-lock.json',
      json({ ...lock, packages: { '': manifest, ...packages } }),
    );
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
    const result = spawnSync('npm', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: maxBillBytes,
    });
    if (result.status === 0) return JSON.parse(result.stdout);
    throw new Failure(
      `The bill of materials could not be created: ${lastLine(result.stderr ?? '', /npm error/)}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The bill of one package: its components are those of `all` that it contains.
 * @param {Bill} all
 * @param {{ name: string, version: string, description: string }} manifest
 * @param {(component: string) => boolean} contains is called with `name@version`
 * @returns {Bill}
 */
export function billOf(all, { name, version, description }, contains) {
  const packageId = `${name}@${version}`;
  const components = all.components.filter((component) => contains(component['bom-ref']));
  const refs = new Set(components.map((component) => component['bom-ref']));
  const among = (/** @type {string[]} */ names) => names.filter((each) => refs.has(each));
  const needed = new Set(
    all.dependencies.filter(({ ref }) => refs.has(ref)).flatMap(({ dependsOn }) => dependsOn),
  );
  const { component } = all.metadata;
  return {
    ...all,
    metadata: {
      ...all.metadata,
      component: {
        ...component,
        'bom-ref': packageId,
        name,
        version,
        description,
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      },
    },
    components,
    dependencies: [
      // The package itself needs each component that no other component needs.
      { ref: packageId, dependsOn: [...refs].filter((ref) => !needed.has(ref)) },
      ...all.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: among(dependsOn) })),
    ],
  };
}
