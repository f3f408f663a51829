import type { FrameworkEntry } from './framework';

const extensions = ['.py'];

/** Frameworks of Python. An import is at the start of a line, with any indentation. */
export const pythonFrameworks: readonly FrameworkEntry[] = [
  {
    name: 'Flask',
    aliases: ['flask restful', 'flask restx'],
    language: 'python',
    role: 'server',
    entry: 'app.py',
    extensions,
    importText: 'from flask',
    imports: [/^[ \t]*(?:from|import)[ \t]+flask(?:_\w{1,40})?(?![\w])/m],
    routes: 'literal',
    guard: {
      other: {
        before: /\b(?:hip|erlenmeyer|vacuum|water)\s+$/i,
        after: /^\s+(?:of|full|filled)\b/i,
      },
      word: { before: /\b(?:glass|lab)\s+$/i },
      hint: /\bpython\b/i,
    },
  },
  {
    name: 'FastAPI',
    aliases: ['fast api'],
    language: 'python',
    role: 'server',
    entry: 'main.py',
    extensions,
    importText: 'from fastapi',
    imports: [/^[ \t]*(?:from|import)[ \t]+fastapi(?![\w])/m],
    routes: 'literal',
  },
  {
    name: 'Django',
    aliases: ['django rest framework', 'drf'],
    language: 'python',
    role: 'server',
    entry: 'manage.py',
    extensions,
    importText: 'from django',
    imports: [/^[ \t]*(?:from|import)[ \t]+(?:django|rest_framework)(?![\w])/m],
    signs: { path: /(?:^|\/)manage\.py$/, code: /\bDJANGO_SETTINGS_MODULE\b/ },
    routes: 'slashless',
  },
  {
    name: 'pytest',
    aliases: ['py.test'],
    language: 'python',
    role: 'test',
    entry: 'test_app.py',
    extensions,
    importText: null,
    imports: [/^[ \t]*(?:from|import)[ \t]+pytest(?:_\w{1,40})?(?![\w])/m],
    // Plain functions with plain asserts need no import.
    signs: { path: /(?:^|\/)conftest\.py$/, code: /^(?:async[ \t]+)?def[ \t]+test_/m },
    routes: 'literal',
  },
  {
    name: 'unittest',
    aliases: [],
    language: 'python',
    role: 'test',
    entry: 'test_app.py',
    extensions,
    importText: 'unittest',
    // Its mocks work with every other framework as well.
    imports: [
      /^[ \t]*import[ \t]+unittest(?![\w.])/m,
      /^[ \t]*from[ \t]+unittest[ \t]+import[ \t]+(?!mock\b)/m,
      /\(\s{0,40}unittest\.(?:IsolatedAsyncio)?TestCase\b/,
    ],
    routes: 'literal',
  },
];
