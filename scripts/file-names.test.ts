// File names (docs/develop/contributing.md, "Names"): the linter checks kebab-case; this test
// rejects names without meaning.
import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './data-dir.mjs';

const banned = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'shared',
  'misc',
  'types',
  'manager',
  'service',
  'lib',
];

/** Folders and files of a path with such a name before the first dot. */
function sayNothing(path: string): string[] {
  return path
    .split('/')
    .filter((part) => banned.includes(basename(part).split('.')[0]?.toLowerCase() ?? ''));
}

describe('file names', () => {
  it('are meaningful', () => {
    const files = execFileSync(
      'git',
      ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
      { cwd: root, encoding: 'utf8' },
    );
    expect(files.split('\0').filter((path) => sayNothing(path).length > 0)).toEqual([]);
  });

  it('without meaning are found', () => {
    expect(
      ['app/lib/turn.ts', 'server/utils.ts', 'db/types.test.ts'].map(
        (path) => sayNothing(path).length,
      ),
    ).toEqual([1, 1, 1]);
    expect(sayNothing('server/library/utilisation.ts')).toEqual([]);
  });
});
