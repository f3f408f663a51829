import ts from 'typescript';

/** The files of a piece of work, by path. */
export type Files = Readonly<Record<string, string>>;

/** Inserts one fault into correct work; null if the work has no place for it. */
export interface Mutation {
  readonly name: string;
  readonly make: (files: Files, request: string) => Files | null;
}

const isCode = (path: string): boolean => path.endsWith('.ts') && !path.includes('_generated');

/** Changes the first file to which `change` applies. */
function inFirst(files: Files, change: (text: string) => string | null): Files | null {
  for (const [path, text] of Object.entries(files).filter(([name]) => isCode(name))) {
    const changed = change(text);
    if (changed !== null && changed !== text) return { ...files, [path]: changed };
  }
  return null;
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('work.ts', text, ts.ScriptTarget.Latest, true);
}

const cut = (text: string, node: ts.Node, put = ''): string =>
  text.slice(0, node.getFullStart()) + put + text.slice(node.getEnd());

/** The names that a statement exports. */
function exportedNames(statement: ts.Statement): readonly string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (isExported !== true) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  return (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name
    ? [statement.name.text]
    : [];
}

/** Empties the body of the first function that has statements and is called or exported. */
function emptied(text: string): string | null {
  let found: ts.Block | null = null;
  const visit = (node: ts.Node): void => {
    if (found !== null) return;
    const body =
      ts.isArrowFunction(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)
        ? node.body
        : undefined;
    // A handler that only answers null is already empty.
    if (
      body !== undefined &&
      ts.isBlock(body) &&
      body.statements.length > 0 &&
      !/^\{\s*return null;?\s*\}$/.test(body.getText())
    )
      found = body;
    else node.forEachChild(visit);
  };
  visit(parse(text));
  return found === null ? null : cut(text, found, ' {}');
}

export const mutations: readonly Mutation[] = [
  { name: 'a function emptied', make: (files) => inFirst(files, emptied) },
  {
    name: 'an export that the request names removed',
    make: (files, request) =>
      inFirst(files, (text) => {
        const statement = parse(text).statements.find((one) =>
          exportedNames(one).some((name) => new RegExp(`\\b${name}\\b`).test(request)),
        );
        return statement === undefined ? null : cut(text, statement);
      }),
  },
  {
    name: 'an import of another framework',
    make: (files) =>
      inFirst(files, (text) => {
        const statement = parse(text).statements.find(
          (one) =>
            ts.isImportDeclaration(one) && /["'](?:convex|\.\/_generated)\b/.test(one.getText()),
        );
        return statement === undefined
          ? null
          : cut(text, statement, "\nimport express, { Router } from 'express';");
      }),
  },
  {
    name: 'a brace lost',
    make: (files) =>
      inFirst(files, (text) => {
        const brace = text.lastIndexOf('}');
        return brace < 0 ? null : text.slice(0, brace) + text.slice(brace + 1);
      }),
  },
];
