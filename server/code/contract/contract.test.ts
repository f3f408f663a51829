import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFramework } from '../frameworks';
import { extractContract, promptBlock } from './index';
import { type RequestRow, requests } from './requests';

const hardOf = (request: string): string[] =>
  extractContract(request)
    .patterns.filter(({ kind }) => kind === 'hard')
    .map(({ pattern }) => pattern);
const softOf = (request: string): string[] =>
  extractContract(request)
    .patterns.filter(({ kind }) => kind === 'soft')
    .map(({ pattern }) => pattern);

/** Whether the row's expectations are all met exactly. */
function isExact({
  ask,
  active = true,
  files = [],
  framework = null,
  hard = [],
}: RequestRow): boolean {
  const contract = extractContract(ask);
  if (contract.active !== active) return false;
  if (!active) return true;
  const sorted = (items: readonly string[]): string => JSON.stringify([...items].sort());
  return (
    sorted(contract.deliverables) === sorted(files) &&
    contract.framework === framework &&
    sorted(hardOf(ask)) === sorted(hard)
  );
}

describe('the table of requests', () => {
  test('QEL-5 at least 95 % of the half that was not used for tuning are read exactly', () => {
    const rate = (isHeldOut: boolean): number => {
      const rows = requests.filter((_, i) => (i % 2 === 1) === isHeldOut);
      return rows.filter(isExact).length / rows.length;
    };
    const summary = `${requests.length} requests: ${(100 * rate(false)).toFixed(1)} % of the half that was tuned on, ${(100 * rate(true)).toFixed(1)} % of the other`;
    process.stdout.write(`${summary}\n`);
    expect(requests.length).toBeGreaterThanOrEqual(200);
    expect(rate(false), summary).toBeGreaterThanOrEqual(0.95);
    expect(rate(true), summary).toBeGreaterThanOrEqual(0.95);
  });

  test('QEL-8 the table names every framework, each request once', () => {
    const named = new Set(requests.flatMap(({ framework }) => framework ?? []));
    expect(named.size).toBe(23);
    expect([...named].filter((name) => findFramework(name) === null)).toEqual([]);
    expect(new Set(requests.map(({ ask }) => ask)).size).toBe(requests.length);
  });
});

describe('QEL-1 activation', () => {
  test.each(['create', 'write', 'generate', 'build', 'implement', 'scaffold'])(
    'QEL-1 %s with a noun',
    (verb) => {
      for (const noun of [
        'a file',
        'a script',
        'the component',
        'two endpoints',
        'a Python module',
        'some tests',
      ])
        expect(extractContract(`Please ${verb} ${noun} for me`).active, noun).toBe(true);
      for (const noun of ['a poem', 'a summary of the file', 'an email to the team'])
        expect(extractContract(`Please ${verb} ${noun} for me`).active, noun).toBe(false);
    },
  );

  test.each([
    'What',
    'How many',
    'Show me',
    'Why',
    'Where',
    'Explain',
    'Hello! What',
    'which',
    'How do I',
  ])('QEL-2 %s: a message that wants to read owes nothing, whatever it says later', (start) => {
    const contract = extractContract(`${start} files are there? Create app.py with a Flask API.`);
    expect(contract).toMatchObject({
      active: false,
      deliverables: [],
      framework: null,
      patterns: [],
      gates: [],
      confidence: 'low',
    });
    expect(contract.reason).toContain('read');
  });

  test('QEL-1 a request without an order is inactive with a reason, and keeps its named files for callers who score it anyway', () => {
    expect(extractContract('Fix the Flask route /login in app.py')).toMatchObject({
      active: false,
      reason: 'The request names nothing to create.',
      framework: 'Flask',
      deliverables: ['app.py'],
    });
    expect(extractContract('   ').reason).toBe('The request is empty.');
  });
});

describe('QEL-7 deliverables', () => {
  test('QEL-7 a named file is used as given, and a framework alone requires its entry file', () => {
    expect(extractContract('Create a Flask API in service/run.py').deliverables).toEqual([
      'service/run.py',
    ]);
    expect(extractContract('Create a Flask API').deliverables).toEqual(['app.py']);
    expect(extractContract('Create an Express API in TypeScript').deliverables).toEqual([
      'server.ts',
    ]);
    expect(extractContract('Create a FastAPI app, not Flask, in service.py').deliverables).toEqual([
      'service.py',
    ]);
    expect(
      extractContract('Create a.py, but do not, whatever happens, create b.py').deliverables,
    ).toEqual(['a.py']);
  });

  test.each([
    ['Create a Flask app with a template index.html', 'Flask', ['index.html', 'app.py']],
    ['Write a Dockerfile for a Flask app', null, ['Dockerfile']],
    ['Create a page index.html for our Express server', null, ['index.html']],
    ['Write middleware for Express', 'Express', ['server.js']],
    ['Write unittest cases for parser.py', 'unittest', ['test_parser.py']],
    ['Our backend is Express. Build a React page in App.jsx', 'React', ['App.jsx']],
  ])('QEL-7 %s', (request, framework, deliverables) => {
    expect(extractContract(request)).toMatchObject({ framework, deliverables });
  });

  test('QEL-7 a path never leaves its folder', () => {
    for (const path of [
      '../x.py',
      '/etc/passwd.conf',
      'a/../../b.py',
      '//host/x.py',
      'https://example.org/x.py',
    ])
      expect(extractContract(`Create ${path}`).deliverables, path).toEqual([]);
  });

  test('keys of prototypes are files like any other', () => {
    const contract = extractContract(
      'Create constructor.js with 3 functions and __proto__.py with 2 classes',
    );
    expect(contract.deliverables).toEqual(['constructor.js', '__proto__.py']);
    expect(Object.entries(contract.expectedElements)).toEqual([
      ['constructor.js', 3],
      ['__proto__.py', 2],
    ]);
    expect(
      Object.entries(extractContract('Create __proto__.py with 2 classes').expectedElements),
    ).toEqual([['__proto__.py', 2]]);
  });
});

describe('QEL-10 patterns', () => {
  test('QEL-10 imports, routes and classes must, functions and fields should', () => {
    const request =
      'Create api.py with FastAPI: GET /users and POST /users/{id}, a class UserStore, a function hash_password and the fields name, email and age';
    expect(hardOf(request)).toEqual(['from fastapi', '/users', 'UserStore']);
    expect(softOf(request)).toEqual(['hash_password', 'name', 'email', 'age']);
  });

  test.each([
    ['Write a module with functions add, subtract and multiply', ['add', 'subtract', 'multiply']],
    [
      'Write a mutation named `saveUser` that takes `{ name: string, age?: number }`',
      ['saveUser', 'name', 'age'],
    ],
    ['Create a query called listTasks', ['listTasks']],
    ['Use the `useDebounce` hook in a component', ['useDebounce']],
    ['Write code for:\ndef merge_sorted(a, b):\n', ['merge_sorted']],
    ['Create a function that adds numbers', []],
    ['Create functions to sort and to filter', []],
    ['Build a form with two fields', []],
  ])('QEL-10 soft patterns of: %s', (request, soft) => {
    expect(softOf(request)).toEqual(soft);
  });

  test.each([
    ['Create a Django app with a route /books/', ['from django', 'books/']],
    ['Create a NestJS API for /tasks', ['@nestjs/', 'tasks']],
    ['Create a Next.js page at /about', []],
    ['Create an Express API with GET /users/:id/posts', ['express', '/users']],
    ['Write a script that removes files of /var/log and /tmp', []],
    ['Create a bot with a /ping command', []],
  ])('QEL-10 a route is expected as its framework writes it: %s', (request, hard) => {
    expect(hardOf(request)).toEqual(hard);
  });

  test('QEL-10 with several files, a pattern belongs to the one that its sentence names', () => {
    expect(
      extractContract('Create a class Task in models.py. Create the route /api/tasks in server.py.')
        .patterns,
    ).toEqual([
      { pattern: '/api/tasks', kind: 'hard', path: 'server.py' },
      { pattern: 'Task', kind: 'hard', path: 'models.py' },
    ]);
  });

  test('QEL-12 a shorter request has fewer deliverables and a lower confidence', () => {
    expect(extractContract('Create server.py with a Flask API').confidence).toBe('high');
    expect(extractContract('Create a Flask API').confidence).toBe('medium');
    expect(extractContract('Create a file notes.py').confidence).toBe('medium');
    expect(extractContract('Create a script')).toMatchObject({
      confidence: 'low',
      patterns: [],
      deliverables: [],
    });
  });
});

describe('QEL-19 expected elements', () => {
  test.each([
    ['Create api.py with 3 endpoints', { 'api.py': 3 }],
    ['Create calc.js with functions add, subtract and multiply', { 'calc.js': 3 }],
    ['Create calc.js with three functions: add, subtract and multiply', { 'calc.js': 3 }],
    ['Create bank.py with a class Account and two helper functions', { 'bank.py': 3 }],
    ['Create a.py with 2 classes. Create b.py with four functions.', { 'a.py': 2, 'b.py': 4 }],
    ['Create app.py with Flask: GET /tasks, POST /tasks and DELETE /tasks/<id>', { 'app.py': 3 }],
    ['Create app.py in version 3 of the functions', {}],
    ['Create 3 functions', {}],
  ])('QEL-19 %s', (request, elements) => {
    expect(extractContract(request).expectedElements).toEqual(elements);
  });
});

describe('QEL-27 gates', () => {
  test.each([
    ['Create a.ts', ['npx tsc --noEmit --skipLibCheck 2>&1']],
    ['Create a.jsx', ['npx tsc --noEmit --skipLibCheck 2>&1']],
    ['Create a.py', ['python -m compileall -q . 2>&1']],
    ['Create main.go', ['go build ./...', 'go vet ./...']],
    ['Create main.rs', ['cargo check 2>&1']],
    ['Create Main.java', ["find . -name '*.java' -maxdepth 3 -exec javac {} + 2>&1"]],
    ['Create Main.cs', ['dotnet build 2>&1']],
    [
      'Create a.py and b.ts',
      ['npx tsc --noEmit --skipLibCheck 2>&1', 'python -m compileall -q . 2>&1'],
    ],
    ['Create a.py with tests', ['python -m compileall -q . 2>&1', 'pytest']],
    ['Create a.py with unittest tests', ['python -m compileall -q . 2>&1', 'python -m unittest']],
    ['Create a.ts with jest', ['npx tsc --noEmit --skipLibCheck 2>&1', 'npx jest']],
    [
      'Create a.ts and write vitest tests',
      ['npx tsc --noEmit --skipLibCheck 2>&1', 'npx vitest run'],
    ],
    ['Create a.ts so that the tests pass', ['npx tsc --noEmit --skipLibCheck 2>&1']],
  ])('QEL-27 %s', (request, gates) => {
    expect(extractContract(request).gates).toEqual(gates);
  });

  test.each(['a.rb', 'a.php', 'a.swift', 'a.kt'])('QEL-32 nothing proves %s', (path) => {
    expect(extractContract(`Create ${path}`)).toMatchObject({ deliverables: [path], gates: [] });
  });
});

describe('QEL-11 the prompt block', () => {
  test('QEL-11 lists the deliverables, one per line', () => {
    const block = promptBlock(
      extractContract('Create app.py with Flask, a class Task, 2 endpoints and a function load'),
    );
    expect(block.split('\n')).toEqual([
      'TASK CONTRACT',
      '',
      'Write these files, each complete:',
      '- app.py (at least 4 functions, classes or routes)',
      '',
      'Use Flask, and none of FastAPI, Django.',
      '',
      'The code must contain:',
      '- from flask',
      '- Task',
      '',
      'The code should contain:',
      '- load',
      '',
      'It will be checked with:',
      '- python -m compileall -q . 2>&1',
      '',
      'Leave no empty function, no TODO and no placeholder. Commented-out code does not count.',
    ]);
  });

  test('QEL-11 is empty without deliverables', () => {
    expect(promptBlock(extractContract('What is Flask?'))).toBe('');
  });
});

const dataFolder = process.env.ASSAY_DATA ?? '../shared/data';
const set = join(dataFolder, 'code-convex-typescript.jsonl');
if (!existsSync(set)) process.stdout.write(`skipped: ${set} is not there, set ASSAY_DATA\n`);

describe.skipIf(!existsSync(set))('on the shared data', () => {
  interface Row {
    readonly id: string;
    readonly request: string;
    readonly files: Readonly<Record<string, string>>;
  }
  const rows = existsSync(set)
    ? readFileSync(set, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row)
    : [];

  test('QEL-10 every request is active, and its reference contains nine in ten of the required patterns', () => {
    let planned = 0;
    let missing = 0;
    for (const { id, request, files } of rows) {
      const contract = extractContract(request);
      expect(contract.active, id).toBe(true);
      const text = Object.values(files).join('\n');
      planned += contract.patterns.length;
      missing += contract.patterns.filter(({ pattern }) => !text.includes(pattern)).length;
    }
    process.stdout.write(
      `${planned} patterns of ${rows.length} requests, ${missing} not in the reference\n`,
    );
    expect(planned).toBeGreaterThan(rows.length);
    expect(missing / planned).toBeLessThan(0.1);
  });
});
