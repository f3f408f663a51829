import { describe, expect, test } from 'vitest';
import { ContractPattern } from '../../domain';
import { stripComments } from '../structure';
import { findFile } from './find-file';
import { matchPatterns } from './match';

const hard = (pattern: string, path: string | null = null): ContractPattern =>
  ContractPattern.parse({ pattern, kind: 'hard', path });

describe('patterns', () => {
  test.each([
    [
      'exact',
      hard('/api/tasks'),
      { 'a.py': 'x\n@app.route("/api/tasks")\n' },
      { how: 'exact', distance: 0, path: 'a.py', line: 2 },
    ],
    [
      'fuzzy',
      hard('/api/tasks'),
      { 'a.py': 'x\n@app.route("/api/task")\n' },
      { how: 'fuzzy', distance: 1, path: 'a.py', line: 2 },
    ],
    [
      'too far',
      hard('/users'),
      { 'a.py': '@app.route("/user")' },
      { how: 'missing', distance: null, path: null, line: null },
    ],
    [
      'exact goes before fuzzy',
      hard('/api/tasks'),
      { 'a.py': '"/api/task"', 'b.py': '"/api/tasks"' },
      { how: 'exact', path: 'b.py' },
    ],
    [
      'the nearest file',
      hard('export const getAllUsers'),
      { 'a.ts': 'export const getAlUser', 'b.ts': 'export const getAllUser' },
      { distance: 1, path: 'b.ts' },
    ],
    [
      'in its own file',
      hard('class Task', 'models.py'),
      { 'server.py': 'class Task', 'app/models.py': 'class Item' },
      { how: 'missing' },
    ],
    [
      'in its own file below a folder',
      hard('class Task', 'models.py'),
      { 'app/models.py': 'class Task:' },
      { how: 'exact', path: 'app/models.py' },
    ],
    [
      'in a file that is not there',
      hard('class Task', 'models.py'),
      { 'server.py': 'class Task' },
      { how: 'missing' },
    ],
  ])('QEL-14 %s', (_, pattern, files, expected) => {
    const searched = Object.entries(files).map(([path, code]) => ({ path, code }));
    expect(matchPatterns([pattern], searched)[0]).toMatchObject(expected);
  });

  test('QEL-15 commented-out code satisfies no pattern, and lines stay where they were', async () => {
    const text = '# /api/tasks\n"""\n/api/tasks\n"""\nroute = "http://x/api/items"\n';
    const code = await stripComments('a.py', text);
    const [tasks, items] = matchPatterns(
      [hard('/api/tasks'), hard('//x/api/items')],
      [{ path: 'a.py', code }],
    );
    expect(tasks?.how).toBe('missing');
    expect(items).toMatchObject({ how: 'exact', line: 5 });
  });

  test.each([
    ['a.py', ['a.py', 'b/a.py'], 'a.py'],
    ['a.py', ['b/c/a.py', 'b/a.py'], 'b/a.py'],
    ['./src/a.py', ['a.py'], 'a.py'],
    ['a.py', ['ba.py', 'a.pyi'], null],
  ])('QEL-13 "%s" among %j is %s', (wanted, paths, expected) => {
    expect(
      findFile(
        paths.map((path) => ({ path })),
        wanted,
      )?.path ?? null,
    ).toBe(expected);
  });
});
