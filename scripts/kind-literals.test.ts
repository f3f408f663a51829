// A kind is a folder: no code outside server/verifiers compares with, switches on or looks up the
// name of a kind (house.md 2). The kind's own data contains the facts that other code needs.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { kindViews } from '../server/verifiers/view';
import { root } from './data-dir.mjs';

/** Words that name other things as well: targets of rules, scopes of thresholds, kinds of rows. */
const ambiguous: ReadonlySet<string> = new Set([
  'turn',
  'task',
  'code',
  'mission',
  'judge',
  'function',
  'checks',
]);
/** Names of variables and members that contain the name of a kind. */
const holders: ReadonlySet<string> = new Set([
  'kind',
  'verifier',
  'verifierSlug',
  'verifier_slug',
  'slug',
]);
/** Another type with a member of the same name and value; or a fixed route of api.md. */
const exempt: ReadonlyMap<string, readonly string[]> = new Map([
  // Names of formats that prompts declare.
  [
    'app/(console)/p/[project]/prompts/[slug]/prompt-editor-view.tsx',
    ["prompt.output === 'decomposition'"],
  ],
  ['server/prompts/preview.ts', ["read.front.output === 'decomposition'"]],
  // Scopes of thresholds.
  ['app/(console)/p/[project]/thresholds/scope-dialog.tsx', ["draft.kind === 'task'"]],
  ['app/(console)/p/[project]/thresholds/scope-draft.ts', ["kind === 'mission'"]],
  // Kinds of search hits, of deletions and of imported rows.
  ['app/(console)/search-words.ts', ["case 'turn'"]],
  ['server/lifecycle/deletion/find-named.ts', ["kind === 'turn'"]],
  ['server/ingest/import/map-row.ts', ["imported.kind === 'turn'"]],
  // The two members of a route's settings, and the prompts of one of them (api.md, Gateway).
  [
    'app/(console)/p/[project]/gateway/(home)/route-panel.tsx',
    ["trusts.get('turn')", "trusts.get('integrity')"],
  ],
  ['server/gateway/routes/snapshot-view.ts', ["kind === 'turn'"]],
  ['server/gateway/routes/source.ts', ["kind === 'turn'"]],
  // Kinds of code elements, a member of a tool call, and the ways in which judges are compared.
  ['server/code/contract/counts.ts', ["kind !== 'function'"]],
  ['server/code/contract/names.ts', ["hit.kind === 'function'"]],
  ['server/ingest/conventions/messages.ts', ["call.get('function')"]],
  ['server/measures/report-rows.ts', ["leaving.includes('judge')"]],
]);

const literalOf = (node: ts.Node): string | null =>
  ts.isStringLiteralLike(node) && kindViews.has(node.text) ? node.text : null;

function nameOf(node: ts.Node): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) ? node.text : '';
}

const quoted = `['"\`](?:${[...kindViews.keys()].join('|')})['"\`]`;
/**
 * Parsing is slow, so only files with a kind's name next to a comparison, in a case or as an
 * argument, or with an escape, are parsed.
 */
const mayHave = new RegExp(`(?:[!=]==?|case|[(,])\\s*${quoted}|${quoted}\\s*[!=]==?|\\\\[ux]`);

/** Comparisons, cases and lookups of a kind's name, as written. */
function findLiterals(file: string, text: string): string[] {
  if (!mayHave.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const isKind = (literal: string | null, other: ts.Node): boolean =>
    literal !== null && (!ambiguous.has(literal) || holders.has(nameOf(other)));
  const visit = (node: ts.Node): void => {
    if (
      ts.isBinaryExpression(node) &&
      /^[!=]==?$/.test(node.operatorToken.getText()) &&
      (isKind(literalOf(node.left), node.right) || isKind(literalOf(node.right), node.left))
    )
      found.push(node.getText());
    if (ts.isSwitchStatement(node))
      for (const clause of node.caseBlock.clauses)
        if (ts.isCaseClause(clause) && isKind(literalOf(clause.expression), node.expression))
          found.push(`case ${clause.expression.getText()}`);
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      ['get', 'has', 'includes'].includes(node.expression.name.text) &&
      node.arguments.some((each) => literalOf(each) !== null)
    )
      found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('no code outside the kinds compares with the name of a kind', () => {
  const files = execFileSync('git', ['ls-files', 'server', 'app', 'workers'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^server\/verifiers\//.test(file));
  const found = files.flatMap((file) =>
    findLiterals(file, readFileSync(`${root}/${file}`, 'utf8'))
      .filter((text) => !(exempt.get(file) ?? []).includes(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["if (kind === 'integrity') f();", 1],
  ["if ('task' !== row.kind) f();", 1],
  ["switch (verdict.kind) { case 'code': f(); }", 1],
  ["kinds.get('synthesis')", 1],
  ["['task', 'x'].includes('task')", 1],
  ["if (target === 'turn') f();", 0],
  ["const name = 'integrity'; const words = { task: 1 };", 0],
])('%s has %i', (text, count) => {
  expect(findLiterals('a.ts', text)).toHaveLength(count);
});
