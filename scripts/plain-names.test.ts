// The words of the code (docs/develop/contributing.md, "Names"): identifiers and comments use none of the banned
// words, and an exported name has one meaning.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from './data-dir.mjs';

const banned: ReadonlySet<string> = new Set(
  `owe owes owed owing told tell tells telling stand stands standing anew nobody whoever elsewhere
  bell turnstile seat seats shelf due dues`.split(/\s+/),
);
/** Whole identifiers that a native reader would write. */
const allowedIdentifiers: ReadonlySet<string> = new Set([]);
/** Comments may use the words in a sense that a native reader would write, this often in all. */
const commentsMax = 40;

const folders = ['app', 'db', 'sdk', 'scripts', 'server', 'testing', 'workers'];
const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && existsSync(join(root, file)))
  .filter((file) => file !== 'scripts/plain-names.test.ts');

function parse(file: string): ts.SourceFile {
  const text = readFileSync(join(root, file), 'utf8');
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

const wordsOf = (identifier: string): string[] =>
  identifier
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/)
    .map((word) => word.toLowerCase());

/** Each once a file. */
function findIdentifiers(source: ts.SourceFile): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && wordsOf(node.text).some((word) => banned.has(word)))
      found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function findInComments(source: ts.SourceFile): string[] {
  const { text } = source;
  const ranges = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    const around = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    for (const { pos, end } of around) ranges.set(pos, end);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...ranges].flatMap(([pos, end]) =>
    [...text.slice(pos, end).matchAll(/[A-Za-z]+/g)]
      .filter(([word]) => banned.has(word.toLowerCase()))
      .map(({ index }) => text.slice(Math.max(pos, pos + index - 30), pos + index + 30)),
  );
}

test('no identifier has a banned word', () => {
  const found = files.flatMap((file) =>
    [...findIdentifiers(parse(file))]
      .filter((name) => !allowedIdentifiers.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('comments use the banned words only as a native reader would', () => {
  const found = files.flatMap((file) =>
    findInComments(parse(file)).map((place) => `${file}: ${place}`),
  );
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(commentsMax);
});

test('a banned word is found in each part of a name, and in comments', () => {
  const source = ts.createSourceFile(
    'planted.ts',
    '/** What is owed. */ const oweTurn = { isToldAgain: 1, DUE_AT: 2, standard: 3, tellHTTP: 4 };',
    ts.ScriptTarget.Latest,
    true,
  );
  expect([...findIdentifiers(source)]).toEqual(['oweTurn', 'isToldAgain', 'DUE_AT', 'tellHTTP']);
  expect(findInComments(source)).toHaveLength(1);
});
