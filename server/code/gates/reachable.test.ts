import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { reachableFolder } from './reachable';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function folderOf(mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-reachable-'));
  chmodSync(folder, mode);
  made.push(folder);
  return folder;
}

/** A package with a nested package and a sibling package. */
function install(folder: string): string {
  const put = (path: string, manifest: object): void => {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'package.json'), JSON.stringify(manifest));
  };
  put('node_modules/tool', {
    version: '1.2.3',
    dependencies: { inner: '*' },
    peerDependencies: { beside: '*', absent: '*' },
  });
  put('node_modules/tool/node_modules/inner', { version: '1.0.0' });
  put('node_modules/beside', { version: '2.0.0' });
  put('node_modules/stranger', { version: '3.0.0' });
  return join(folder, 'node_modules', 'tool');
}

describe.skipIf(process.getuid?.() !== 0)('as root', () => {
  test('S-84 a package in a folder closed to others is copied once, with all that it needs and nothing else', () => {
    const into = folderOf(0o755);
    const tool = install(folderOf(0o700));
    const copy = reachableFolder(tool, into);
    expect(copy).toBe(join(into, 'tool-1.2.3', 'node_modules', 'tool'));
    const beside = dirname(copy);
    expect(
      ['tool/package.json', 'tool/node_modules/inner/package.json', 'beside/package.json'].map(
        (path) => existsSync(join(beside, path)),
      ),
    ).toEqual([true, true, true]);
    expect(existsSync(join(beside, 'stranger'))).toBe(false);
    expect(reachableFolder(tool, into)).toBe(copy);
  });

  test('S-84 a package readable by all is used in place', () => {
    const tool = install(folderOf(0o755));
    expect(reachableFolder(tool, folderOf(0o755))).toBe(tool);
  });
});
