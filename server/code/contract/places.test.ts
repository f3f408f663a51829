import { describe, expect, test } from 'vitest';
import { extractContract } from './index';

/** The role of two files in a request, and how it joins them. */
const first = [
  ['models.py', 'a Task class', 'Task'],
  ['store.py', 'a class TaskStore', 'TaskStore'],
] as const;
const second = [
  ['server.py', 'the route /api/tasks', '/api/tasks'],
  ['queue.py', 'a class JobQueue', 'JobQueue'],
] as const;
const forms: readonly (readonly [
  string,
  (a: string, of: string, b: string, other: string) => string,
])[] = [
  ['"with" and "and"', (a, of, b, other) => `Create ${a} with ${of} and ${b} with ${other}`],
  ['"in" and "and"', (a, of, b, other) => `Create ${of} in ${a} and ${other} in ${b}`],
  ['a list', (a, of, b, other) => `Create these files:\n- ${a}: ${of}\n- ${b}: ${other}`],
  ['semicolons', (a, of, b, other) => `Create ${a} with ${of}; ${b} with ${other}`],
  ['sentences', (a, of, b, other) => `Create ${a} and ${b}. ${a} has ${of}. ${b} has ${other}.`],
  ['pronouns', (a, of, b, other) => `Create ${a}. It has ${of}. Create ${b}. It has ${other}.`],
  [
    'ordinals',
    (a, of, b, other) => `Create ${a} and ${b}. The first has ${of}. The second has ${other}.`,
  ],
  ['marks', (a, of, b, other) => `Create \`${a}\` with ${of}, and \`${b}\` with ${other}.`],
];

describe('QEL-10 patterns keep their file', () => {
  test.each(forms)('QEL-10 QEL-35 across %s', (_form, write) => {
    for (const [a, of, name] of first) {
      for (const [b, other, otherName] of second) {
        const { patterns } = extractContract(write(a, of, b, other));
        const found = new Map(patterns.map(({ pattern, path }) => [pattern, path]));
        expect([found.get(name), found.get(otherName)], write(a, of, b, other)).toEqual([a, b]);
      }
    }
  });

  test('QEL-10 an ambiguous place belongs to no file', () => {
    const { patterns } = extractContract('Create a.py and b.py for a class Task');
    expect(patterns).toEqual([{ pattern: 'Task', kind: 'hard', path: null }]);
  });
});

describe('QEL-10 grammar words', () => {
  test.each(['class', 'include', 'function', 'import', 'def', 'return', 'struct', 'yield'])(
    'QEL-10 %s is no pattern',
    (word) => {
      for (const ask of [
        `Create a.py with functions ${word}, add and scale`,
        `Write a.js with a function named ${word}`,
      ]) {
        expect(extractContract(ask).patterns.map(({ pattern }) => pattern)).not.toContain(word);
      }
    },
  );
});

describe('QEL-7 files that a project is built by', () => {
  const files =
    'package.json tsconfig.json Dockerfile Makefile pyproject.toml go.mod Cargo.toml requirements.txt docker-compose.yml'.split(
      ' ',
    );
  test.each(files)('QEL-7 %s is a deliverable if it is demanded, and not if it is read', (file) => {
    for (const ask of [
      `Create server.ts with a ${file}`,
      `Create server.ts. It needs a ${file}.`,
      `The project must have a ${file}. Create server.ts`,
      `Create server.ts. Also include a ${file}`,
      `Build an app: server.ts, plus ${file}`,
    ])
      expect([...extractContract(ask).deliverables].sort(), ask).toEqual(
        [file, 'server.ts'].sort(),
      );
    expect(extractContract(`Create server.ts, do not create ${file}`).deliverables).toEqual([
      'server.ts',
    ]);
    expect(extractContract(`Write server.ts that reads ${file}`).deliverables).toEqual([
      'server.ts',
    ]);
  });
});

describe('QEL-9 names that are words', () => {
  const names = ['Echo', 'Fiber', 'Gin', 'Rocket', 'Spring', 'Express', 'React'];
  test.each(names)('QEL-9 a class %s is no framework', (name) => {
    for (const ask of [
      `Create a class ${name} in thing.py`,
      `Create thing.py with a class named ${name}`,
      `Create a ${name} class in thing.py`,
      `Write struct ${name} in thing.go`,
    ])
      expect(extractContract(ask).framework, ask).toBeNull();
  });

  test('QEL-9 they stay frameworks where they are used as such', () => {
    expect(extractContract('Build a REST API with Echo in main.go').framework).toBe('Echo');
    expect(extractContract('Create an Express app in server.js').framework).toBe('Express');
  });
});
