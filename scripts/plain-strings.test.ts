// The words that people read: strings of the console, e-mails, chat, reports, errors and the CLI
// use none of the banned words of docs/develop/contributing.md, "Names".
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from './data-dir.mjs';

const banned =
  /\b(?:owe[sd]?|owing|told|tells?|telling|stands?|standing|anew|nobody|whoever|whatever|whom|elsewhere|beside|turnstile|said|dear|mend|held against|put right|made out of)\b|\d %|\} %|% %/i;

/** Each is a use in the ordinary sense. */
const allowed: readonly string[] = ['Cannot tell', 'cannot tell', 'cannot_tell'];

const folders = ['app', 'sdk', 'server', 'workers'];
/** Texts for models, simulated ones, and word lists. */
const forModels =
  /^server\/(?:evaluators\/(?:judges|steering|claims)|figures|code\/contract|gateway\/verify)\/|\/perturb\.ts$|\/(?:semantic-node|decomposition\/feedback)\.ts$/;
const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && existsSync(join(root, file)))
  .filter((file) => !/\.test\.tsx?$|-fixture\.tsx?$/.test(file) && !forModels.test(file));

/** Strings that are prose (at least two words), each with its position in the file. */
function findProse(source: ts.SourceFile): { readonly text: string; readonly line: number }[] {
  const found: { text: string; line: number }[] = [];
  const add = (node: ts.Node, text: string) => {
    if (/[A-Za-z]\s+[A-Za-z]|\s%/.test(text))
      found.push({
        text: text.replace(/\s+/g, ' ').trim(),
        line: source.getLineAndCharacterOfPosition(node.pos).line + 1,
      });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) add(node, node.text);
    else if (ts.isStringLiteralLike(node)) add(node, node.text);
    else if (ts.isTemplateExpression(node))
      add(
        node,
        [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('}'),
      );
    // SQL is not prose.
    if (ts.isTaggedTemplateExpression(node)) {
      if (ts.isTemplateExpression(node.template))
        for (const span of node.template.templateSpans) visit(span.expression);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isPlain = (text: string): boolean =>
  !banned.test(allowed.reduce((rest, words) => rest.replaceAll(words, ''), text));

test('no string that people read has a banned word', () => {
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    if (!banned.test(text)) return [];
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    return findProse(source)
      .filter((prose) => !isPlain(prose.text))
      .map(({ text: words, line }) => `${file}:${line}: ${words.slice(0, 160)}`);
  });
  expect(found).toEqual([]);
});

test.each([
  ['<p>What judges are told is markdown.</p>', 1],
  ['const a = `${n} labels, nobody ruled`;', 1],
  ["const a = 'It stands at 76.0 % of all';", 1],
  ["const a = 'Cannot tell which';", 0],
  ["const told = 'told';", 0],
  ['sql`select told from a where nobody is here`;', 0],
])('in %s are %d of them', (code, count) => {
  const source = ts.createSourceFile('planted.tsx', code, ts.ScriptTarget.Latest);
  expect(findProse(source).filter(({ text }) => !isPlain(text))).toHaveLength(count);
});
