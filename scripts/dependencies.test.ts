// S-113: packages come from the registry with a checksum, run no scripts when they are installed,
// and are no older than the releases that fixed known holes (reliability.md 7).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { root } from './data-dir.mjs';

const Lock = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      /** In the archive of the package around it, whose checksum covers it. */
      inBundle: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});
type Lock = z.infer<typeof Lock>;

const lock = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
const { allowScripts } = z
  .object({ allowScripts: z.record(z.string(), z.boolean()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/**
 * Packages that work without their install scripts, which npm does not run here (`allowScripts`).
 */
const withoutTheirScripts = ['@google/genai', 'esbuild', 'msgpackr-extract', 'protobufjs'];

/** The lowest release of each line that has the fixes. */
const floors: Readonly<Record<string, readonly string[]>> = {
  next: ['16.2.6'],
  react: ['19.2.6'],
  'react-dom': ['19.2.6'],
  'drizzle-orm': ['0.45.2'],
  'better-auth': ['1.4.17'],
  undici: ['6.23.0', '7.18.0'],
  bullmq: ['5.81.0'],
};
const absent = [
  'react-server-dom-webpack',
  'react-server-dom-parcel',
  'react-server-dom-turbopack',
];

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);
const partsOf = (version: string): readonly number[] =>
  (version.split('-')[0] ?? '').split('.').map(Number);

/** Compares by number; a release before a version (`16.2.6-canary.1`) counts as below it. */
function isBelow(version: string, floor: string): boolean {
  const [own, least] = [partsOf(version), partsOf(floor)];
  const at = least.findIndex((part, index) => part !== own[index]);
  return at === -1 ? version.includes('-') : !((own[at] ?? 0) > (least[at] ?? 0));
}

function faultsOf({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { version = '', ...entry }]) => {
    if (path === '') return [];
    const name = nameOf(path);
    const isPinned =
      entry.inBundle === true ||
      (/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '') &&
        // Without an address the package comes from the configured registry.
        entry.resolved?.startsWith('https://registry.npmjs.org/') !== false);
    const runs =
      entry.hasInstallScript === true &&
      allowScripts[name] !== true &&
      !withoutTheirScripts.includes(name);
    // The floor of its own release line; a newer line needs none, an older one has no fix.
    const line = floors[name]?.findLast(
      (floor) => (partsOf(version)[0] ?? 0) >= (partsOf(floor)[0] ?? 0),
    );
    const isOld = name in floors && (line === undefined || isBelow(version, line));
    return [
      ...(isPinned ? [] : ['has no checksum of the registry']),
      ...(runs ? ['runs a script when it is installed'] : []),
      ...(isOld ? [`is below ${floors[name]?.join(' and ')}`] : []),
      ...(absent.includes(name) ? ['is to come with next only'] : []),
    ].map((fault) => `${path} ${version} ${fault}`);
  });
}

test('S-113 every package has a checksum, none runs an unlisted script, none is below its floor', () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(500);
  expect(faultsOf(lock)).toEqual([]);
  const names = new Set(Object.keys(lock.packages).map(nameOf));
  for (const name of [...Object.keys(floors), ...withoutTheirScripts])
    expect(names, 'an entry that is no longer needed').toContain(name);
});

test('S-113 Node is the newest of its line: the version is a line, not a release', () => {
  expect(readFileSync(join(root, '.nvmrc'), 'utf8').trim()).toMatch(/^\d+$/);
});

const sound = {
  integrity: `sha512-${'A'.repeat(86)}==`,
  resolved: 'https://registry.npmjs.org/x/-/x-1.0.0.tgz',
};

test.each([
  ['node_modules/x', { ...sound, version: '1.0.0', integrity: 'sha1-AAAA' }],
  ['node_modules/x', { ...sound, version: '1.0.0', integrity: undefined }],
  ['node_modules/x', { ...sound, version: '1.0.0', resolved: 'git+ssh://git@github.com/x/x.git' }],
  ['node_modules/x', { ...sound, version: '1.0.0', resolved: 'http://registry.npmjs.org/x.tgz' }],
  ['node_modules/x', { ...sound, version: '1.0.0', hasInstallScript: true }],
  ['node_modules/next', { ...sound, version: '16.2.5' }],
  ['node_modules/next', { ...sound, version: '16.2.6-canary.1' }],
  ['node_modules/next', { ...sound, version: '15.9.9' }],
  ['node_modules/a/node_modules/undici', { ...sound, version: '6.22.9' }],
  ['node_modules/undici', { ...sound, version: '7.17.0' }],
  ['node_modules/react-server-dom-webpack', { ...sound, version: '19.9.9' }],
])('S-113 %s %j is found', (path, entry) => {
  expect(faultsOf({ lockfileVersion: 3, packages: { [path]: entry } })).toHaveLength(1);
});

test.each([
  ['node_modules/next', '16.2.6'],
  ['node_modules/next', '17.0.0'],
  ['node_modules/undici', '6.23.0'],
  ['node_modules/undici', '8.0.0'],
  ['node_modules/drizzle-orm', '0.46.0'],
])('S-113 %s %s is accepted', (path, version) => {
  expect(faultsOf({ lockfileVersion: 3, packages: { [path]: { ...sound, version } } })).toEqual([]);
});
