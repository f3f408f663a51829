import { describe, expect, it, test } from 'vitest';
import { newerNodeName, newerPythonName } from './newer-names';

describe('names that a newer Python has', () => {
  const code = (content: string) => [{ path: 'a.py', content }];
  it.each([
    [
      "ImportError: cannot import name 'override' from 'typing' (/usr/lib/python3.11/typing.py)",
      'from typing import override\n',
      'Python 3.12',
    ],
    [
      "AttributeError: module 'itertools' has no attribute 'batched'",
      'import itertools\nitertools.batched([], 2)\n',
      'Python 3.12',
    ],
    [
      "E   ModuleNotFoundError: No module named 'annotationlib'",
      'import annotationlib\n',
      'Python 3.14',
    ],
    [
      "ModuleNotFoundError: No module named 'compression'",
      'from compression import zstd\n',
      'Python 3.14',
    ],
    [
      "ImportError: cannot import name 'overide' from 'typing'",
      'from typing import overide\n',
      null,
    ],
    ["ImportError: cannot import name 'override' from 'typing'", 'import os\n', null],
    ["ImportError: cannot import name 'Self' from 'typing'", 'from typing import Self\n', null],
  ])('QEL-30 %s', (message, content, expected) => {
    const found = newerPythonName(message, code(content), 'Python 3.11.2');
    expect(/needs (Python [\d.]+)/.exec(found?.reason ?? '')?.[1] ?? null).toBe(expected);
    expect(newerPythonName(message, code(content), 'Python 3.14.0')).toBeNull();
  });
});

test.each([
  ['3.11.9', false],
  ['3.12.0', true],
])('QEL-30 a file asks for Python %s: newer than 3.11.2 in what it has: %s', (asked, isNewer) => {
  const files = [
    { path: 'a.py', content: 'from typing import later_name\n' },
    { path: '.python-version', content: asked },
  ];
  const found = newerPythonName(
    "ImportError: cannot import name 'later_name' from 'typing'",
    files,
    'Python 3.11.2',
  );
  expect(found !== null).toBe(isNewer);
});

describe('names that a newer Node has', () => {
  const code = (content: string) => [{ path: 'a.js', content }];
  it.each([
    ['Object.groupBy is not a function', 'Object.groupBy([1], (x) => x);', 'Node 21'],
    [
      'TypeError: (intermediate value).union is not a function',
      'new Set([1]).union(other);',
      'Node 22',
    ],
    [
      'known.isSubsetOf is not a function',
      'const known = new Set(); known.isSubsetOf(all);',
      'Node 22',
    ],
    ['[1].values(...).map is not a function', '[1].values().map((x) => x);', 'Node 22'],
    [
      'Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite',
      "require('node:sqlite');",
      'Node 22.5',
    ],
    ['Promise.withResolvers is not a function', 'Promise.withResolvers();', 'Node 22'],
    ['ReferenceError: Float16Array is not defined', 'new Float16Array(1);', 'Node 24'],
    [
      "SyntaxError: The requested module 'node:fs' does not provide an export named 'globSync'",
      "import { globSync } from 'node:fs';",
      'Node 22',
    ],
    ['Object.groupByy is not a function', 'Object.groupByy([1]);', null],
    ['result.map is not a function', 'result.map((x) => x);', null],
    [
      'own.union is not a function',
      'new Set(); class Own { union(other) { return other; } }',
      null,
    ],
    ['shape.union is not a function', 'shape.union(other);', null],
    ['total is not defined', 'total + 1;', null],
  ])('QEL-30 %s', (message, content, expected) => {
    const found = newerNodeName(message, code(content), 'v20.20.2');
    expect(/needs (Node [\d.]+)/.exec(found ?? '')?.[1] ?? null).toBe(expected);
    expect(newerNodeName(message, code(content), 'v24.1.0')).toBeNull();
  });
});
