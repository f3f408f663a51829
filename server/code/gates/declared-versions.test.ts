import { describe, expect, it } from 'vitest';
import { declaredVersion, lowestOf } from './declared-versions';

describe('lowest version of a requirement', () => {
  it.each([
    ['>=3.12', [3, 12]],
    ['>= 3.12, < 4', [3, 12]],
    ['<4,>=3.13.1', [3, 13, 1]],
    ['~=3.12', [3, 12]],
    ['==3.13.*', [3, 13]],
    ['^3.12', [3, 12]],
    ['!=3.9.1,>=3.8', [3, 8]],
    ['<4', null],
    ['>=22', [22]],
    ['22.x', [22]],
    ['v22.3.0', [22, 3, 0]],
    ['>=20 <23', [20]],
    ['18 - 22', [18]],
    ['18 || >=20', [18]],
    ['>=22 || ^20.9', [20, 9]],
    ['<18 || >=22', null],
    ['*', null],
    ['lts/*', null],
  ])('%s', (requirement, expected) => {
    expect(lowestOf(requirement)).toEqual(expected);
  });
});

describe('declared versions', () => {
  it.each([
    ['python', 'pyproject.toml', '[project]\nname = "a"\nrequires-python = ">=3.13"\n', [3, 13]],
    ['python', 'pyproject.toml', '[tool.poetry.dependencies]\npython = "^3.13"\n', [3, 13]],
    ['python', 'setup.cfg', '[options]\npython_requires = >=3.13\n', [3, 13]],
    [
      'python',
      'setup.py',
      "from setuptools import setup\nsetup(\n    name='a',\n    python_requires='>=3.13',\n)\n",
      [3, 13],
    ],
    ['python', 'setup.py', "# python_requires='>=3.13'\n", null],
    ['python', '.python-version', '3.13.1\n', [3, 13, 1]],
    ['python', 'notes.md', 'requires-python = ">=3.13"\n', null],
    ['node', 'package.json', '{"name":"a","engines":{"npm":">=10","node":">=22"}}', [22]],
    ['node', 'package.json', '{"name":"a","dependencies":{"node":">=22"}}', null],
    ['node', 'web/package.json', '{"engines":{"node":">=22.5"}}', [22, 5]],
    ['node', '.nvmrc', 'v24\n', [24]],
  ] as const)('%s, %s', (of, path, content, expected) => {
    expect(declaredVersion(of, [{ path, content }])?.version ?? null).toEqual(expected);
  });
});
