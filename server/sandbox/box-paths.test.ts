import { describe, expect, it } from 'vitest';
import { faultOfPath, faultOfPaths, foldersOf } from './box-paths';

describe('paths of a box', () => {
  it.each([
    ['a.py', null],
    ['-rf', null],
    ['a/b c/"d".ts', null],
    ['..a/b..', null],
    ['', 'must not be empty'],
    ['/etc/passwd', 'is absolute'],
    ['../x', 'contains the part ".."'],
    ['a/../../x', 'contains the part ".."'],
    ['./x', 'contains the part "."'],
    ['a//b', 'contains the part ""'],
    ['a/', 'contains the part ""'],
    ['a\0b', 'must not contain a control character'],
    ['a\nb', 'must not contain a control character'],
    ['a\\..\\b', 'contains a backslash'],
    ['a\ud800', 'is no valid text'],
    ['n'.repeat(255), null],
    ['n'.repeat(256), 'has a part longer than 255 bytes'],
    ['ä'.repeat(128), 'has a part longer than 255 bytes'],
    ['a/'.repeat(500) + 'b', 'is longer than 1000 bytes'],
  ])('S-91 %j: %s', (path, fault) => {
    expect(faultOfPath(path)).toBe(fault);
  });

  it('S-91 a path comes once, and is no file and folder at once', () => {
    expect(faultOfPaths(['a/b', 'a/c', 'd'])).toBeNull();
    expect(faultOfPaths(['a', 'a'])).toBe('The path "a" comes twice.');
    expect(faultOfPaths(['a/b', 'a'])).toBe('The path "a" is a file and a folder.');
  });

  it('folders are listed outermost first', () => {
    expect(foldersOf('a/b/c.ts')).toEqual(['a', 'a/b']);
    expect(foldersOf('c.ts')).toEqual([]);
  });
});
