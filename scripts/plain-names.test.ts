// The words of the code (docs/develop/contributing.md, "Names"): identifiers and comments use none
// of the banned words, and an exported name has one meaning.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { root } from './data-dir.mjs';

const banned: ReadonlySet<string> = new Set(
  `owe owes owed owing told tell tells telling stand stands standing anew nobody whoever elsewhere
  bell turnstile seat seats shelf due dues`.split(/\s+/),
);
/** Names of columns, tables and stored or sent JSON, and data of tests. */
const allowedIdentifiers: ReadonlyMap<string, RegExp> = new Map([
  ['due_at', /^(?:server|workers|sdk\/client\/routes\.ts$)/],
  ['due', /^server\/figures\/place\/.*\.test\.ts$/],
  ['judgement_dues', /^(?:server\/lifecycle\/tables|db\/first-release\.int\.test)\.ts$/],
  ['not_due', /gateway/],
  ['cannot_tell', /^sdk\/cli\/gate\.ts$/],
  ['seats', /trials\/|test\.ts$|^testing\/integrity\//],
  ['seats_2020', /test\.ts$/],
  ['seats_2024', /test\.ts$/],
  ['stand_in', /^workers\/alerts\.int\.test\.ts$/],
  ['told', /^server\/reports\//],
]);
/** Comments may use the words in their usual sense, at most this often in total. */
const commentsMax = 40;

const folders = ['app', 'db', 'sdk', 'scripts', 'server', 'testing', 'workers'];
const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && existsSync(join(root, file)))
  .filter((file) => file !== 'scripts/plain-names.test.ts');

/** Each file is parsed at most once for all tests; omitting parents halves the time. */
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const parsed = new Map<string, ts.SourceFile>();
function parse(file: string): ts.SourceFile {
  let source = parsed.get(file);
  if (source === undefined) {
    source = ts.createSourceFile(file, texts.get(file) ?? '', {
      languageVersion: ts.ScriptTarget.Latest,
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    });
    parsed.set(file, source);
  }
  return source;
}

/** Other files have no banned word in any case, as a part of a name or alone. */
const mayHave = new RegExp(
  [...banned]
    .flatMap((word) => [
      `(?<![A-Za-z])${word}`,
      `(?<![A-Z])${word.toUpperCase()}`,
      `${word[0]?.toUpperCase()}${word.slice(1)}`,
    ])
    .map((part) => `${part}(?![a-z])`)
    .join('|'),
);
const suspects = files.filter((file) => mayHave.test(texts.get(file) ?? ''));
afterAll(() => {
  texts.clear();
  parsed.clear();
});

const wordsOf = (identifier: string): string[] =>
  identifier
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/)
    .map((word) => word.toLowerCase());

/** Each name once per file. */
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
  const found = suspects.flatMap((file) =>
    [...findIdentifiers(parse(file))]
      .filter((name) => allowedIdentifiers.get(name)?.test(file) !== true)
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('comments use the banned words only as a native reader would', () => {
  const found = suspects.flatMap((file) =>
    findInComments(parse(file)).map((place) => `${file}: ${place}`),
  );
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(commentsMax);
});

/** Files of one package share their names; each part of the SDK has its own. */
const packageOf = (file: string): string | null =>
  /\.(?:test|spec)\.tsx?$|-fixture\.tsx?$/.test(file)
    ? null
    : (/^(?:sdk\/[^/]+|server|workers|db)(?=\/)/
        .exec(file)?.[0]
        .replace(/^(?:workers|db)$/, 'server') ?? null);
/** A kind is a folder of the same parts, whose names are those of the contract (house.md 2). */
const kindOf = (file: string): string | null =>
  /^server\/verifiers\/([^/]+)\//.exec(file)?.[1] ?? null;

function exportedNames(source: ts.SourceFile): string[] {
  const isExported = (node: ts.Statement): boolean =>
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const names = source.statements.filter(isExported).flatMap((node) => {
    if (ts.isVariableStatement(node))
      return node.declarationList.declarations.map(({ name }) => name.getText(source));
    return 'name' in node && node.name !== undefined ? [(node.name as ts.Identifier).text] : [];
  });
  return [...new Set(names)];
}

const declaration =
  /^ *export (?:(?:declare|default|abstract|async) )*(?:const|let|var|function\*?|class|interface|type|enum|namespace) ([\w$]+|[[{])/gm;

/** Candidates for `exportedNames` in a hundredth of its time: declarations that begin a line. */
const mayExport = (file: string): string[] => [
  ...new Set([...(texts.get(file) ?? '').matchAll(declaration)].map(([, name]) => name ?? '')),
];

/** The files of each of their names, by package. */
function groupByName(
  among: readonly string[],
  namesOf: (file: string) => readonly string[],
): Map<string, string[]> {
  const filesOf = new Map<string, string[]>();
  for (const file of among) {
    const owner = packageOf(file);
    if (owner === null) continue;
    for (const name of namesOf(file)) {
      const key = `${owner} ${name}`;
      filesOf.set(key, [...(filesOf.get(key) ?? []), file]);
    }
  }
  return filesOf;
}

test('an exported name is declared in one file of its package', () => {
  const among = new Set(
    [...groupByName(files, mayExport).values()].filter((places) => places.length > 1).flat(),
  );
  const filesOf = groupByName([...among], (file) => exportedNames(parse(file)));
  const doubled = [...filesOf].filter(([, places]) => {
    const kindsOf = places.map(kindOf);
    const areParts = !kindsOf.includes(null) && new Set(kindsOf).size === places.length;
    return places.length > 1 && !areParts;
  });
  expect(doubled.map(([key, places]) => `${key}: ${places.join(', ')}`)).toEqual([]);
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
