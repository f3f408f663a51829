// The requests that the console and the server make on their own. Read from the syntax tree, so
// that a new element or client that fetches something must be listed here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { is } from 'drizzle-orm';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { schema } from '../db';

const root = join(import.meta.dirname, '..');

/** Source files of a folder, without tests. */
function sources(folder: string, ending: RegExp): readonly { path: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => `${folder}/${path}`)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const read = new Map<string, readonly ts.Node[]>();

/** Every node of a file. */
function nodesOf(path: string, text: string): readonly ts.Node[] {
  const known = read.get(text);
  if (known !== undefined) return known;
  const all: ts.Node[] = [];
  read.set(text, all);
  const visit = (node: ts.Node): void => {
    all.push(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return all;
}

/** Elements with which a browser fetches the address in an attribute. */
const fetching =
  /^(?:img|picture|source|iframe|frame|object|embed|video|audio|track|link|script|image|use|feImage|base|portal|Image|Script)$/;
/** Attributes of any element that make a browser fetch, or insert markup. */
const fetchingAttribute =
  /^(?:src|srcSet|poster|background|ping|xlinkHref|dangerouslySetInnerHTML|srcDoc)$/;
/** Functions and classes that fetch. */
const fetchingCall =
  /^(?:fetch|Image|EventSource|WebSocket|XMLHttpRequest|SharedWorker|Worker|importScripts|sendBeacon|FontFace|insertAdjacentHTML)$/;

function elementsOf(path: string, text: string): string[] {
  return nodesOf(path, text).flatMap((node) => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const name = node.tagName.getText();
      return fetching.test(name) ? [`${path} <${name}>`] : [];
    }
    if (ts.isJsxAttribute(node) && fetchingAttribute.test(node.name.getText()))
      return [`${path} ${node.name.getText()}`];
    return [];
  });
}

function callsOf(path: string, text: string): string[] {
  return nodesOf(path, text).flatMap((node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return [];
    const { expression } = node;
    const name =
      ts.isPropertyAccessExpression(expression) &&
      ts.isIdentifier(expression.expression) &&
      /^(?:globalThis|window|navigator|self|document)$/.test(expression.expression.text)
        ? expression.name.text
        : expression.getText();
    const address = node.arguments?.[0]?.getText() ?? '';
    return fetchingCall.test(name) ? [`${path} ${name}(${address})`] : [];
  });
}

/** The modules through which each process reaches the network. */
function clientsOf(path: string, text: string): string[] {
  return nodesOf(path, text).flatMap((node) => {
    if (!ts.isImportDeclaration(node) || node.importClause?.isTypeOnly === true) return [];
    const from = ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : '';
    if (
      !/^(?:node:)?(?:https?|http2|net|tls|dgram|dns)(?:\/promises)?$|^(?:undici|nodemailer|ws|node-fetch|axios|got)$/.test(
        from,
      )
    )
      return [];
    const named = node.importClause?.namedBindings;
    const values =
      named !== undefined && ts.isNamedImports(named)
        ? named.elements
            .filter(({ isTypeOnly }) => !isTypeOnly)
            .map(({ name, propertyName }) => (propertyName ?? name).text)
        : [node.importClause?.getText() ?? from];
    return values
      .filter((name) => !/^(?:isIP|createServer|Socket|ServerResponse|IncomingMessage)$/.test(name))
      .map((name) => `${path} ${name} of ${from}`);
  });
}

const consoleFiles = sources('app', /\.tsx?$/);

test('S-52 no element of the console fetches an address from data: no avatar, no image, no preview', () => {
  expect(consoleFiles.length).toBeGreaterThan(300);
  // Our own font, and our own script that sets the theme before the first paint.
  expect(consoleFiles.flatMap(({ path, text }) => elementsOf(path, text))).toEqual([
    'app/layout.tsx <link>',
    'app/layout.tsx <script>',
    'app/layout.tsx dangerouslySetInnerHTML',
  ]);
  const styles = sources('app', /\.css$/).flatMap(({ path, text }) =>
    Array.from(
      text.matchAll(/(?:url\(|@import)\s*["']?([^"')\s]*)/g),
      ([, at = '']) => `${path} ${at}`,
    ),
  );
  expect(styles.filter((each) => !/ (?:\/fonts\/[\w-]+\.woff2|tailwindcss)$/.test(each))).toEqual(
    [],
  );
});

test('S-52 the console calls its own addresses only', () => {
  expect(consoleFiles.flatMap(({ path, text }) => callsOf(path, text)).toSorted()).toEqual([
    "app/(console)/shell.tsx fetch('/api/auth/sign-out')",
    'app/(entry)/post-sign-in.ts fetch(path)',
    "app/(entry)/sign-in/sso-button.tsx fetch('/api/auth/sign-in/sso')",
    'app/_ui/chart-picture.ts Image()',
    "app/_ui/chart-picture.ts fetch('/fonts/geist-latin.woff2')",
  ]);
});

test('S-52 the server calls models, destinations, its mail server and its storage, and nothing that a text names', () => {
  const files = ['server', 'workers', 'db'].flatMap((folder) => sources(folder, /\.ts$/));
  expect(files.length).toBeGreaterThan(500);
  const named =
    /https?\b|http2|node:(?:net|tls|dgram|dns)|undici|nodemailer|\bfetch\(|WebSocket|EventSource/;
  const clients = files
    .filter(({ text }) => named.test(text))
    .flatMap(({ path, text }) => [
      ...clientsOf(path, text),
      ...callsOf(path, text).filter((each) =>
        / (?:fetch|WebSocket|EventSource|XMLHttpRequest)\(/.test(each),
      ),
    ]);
  expect(clients.toSorted()).toEqual([
    'db/client.ts connect of node:net',
    'server/deliveries/mail.ts createTransport of nodemailer',
    'server/doctor/check-outbound.ts createTransport of nodemailer',
    'server/gateway/proxy/upstreams.ts Pool of undici',
    'server/llm/ask/connections.ts Pool of undici',
    'server/platform/guarded-fetch.ts Client of undici',
    'server/platform/guarded-fetch.ts buildConnector of undici',
    'server/platform/guarded-fetch.ts lookup of node:dns/promises',
  ]);
});

test('S-52 only the sign-in library has a column for a picture, and nothing reads it', () => {
  const columns = Object.values(schema).flatMap((each) => {
    if (!is(each, PgTable)) return [];
    const { name, columns: own } = getTableConfig(each);
    return own.map((column) => `${name}.${column.name}`);
  });
  expect(
    columns.filter((name) => /image|avatar|picture|photo|icon|logo|favicon/.test(name)),
  ).toEqual(['users.image']);
  const readers = [...consoleFiles, ...sources('server', /\.ts$/)].filter(({ text }) =>
    /\b(?:user|users|person|member|row)\??\.image\b|\bavatar/i.test(text),
  );
  expect(readers.map(({ path }) => path)).toEqual([]);
});

test.each([
  ['an image', '<img src={user.image} />', 2],
  ['a picture of Next', '<Image src={span.name} />', 2],
  ['a preview in a frame', '<iframe srcDoc={text} />', 2],
  ['a picture inside a drawing', '<svg><image href={text} /></svg>', 1],
  ['markup', '<div dangerouslySetInnerHTML={{ __html: text }} />', 1],
])('S-52 %s would be found', (_what, markup, findings) => {
  expect(elementsOf('x.tsx', `const x = ${markup};`)).toHaveLength(findings);
});

test.each([
  'fetch(url)',
  'globalThis.fetch(url)',
  'new Image()',
  'navigator.sendBeacon(url)',
  'new WebSocket(url)',
])('S-52 %s would be found', (call) => {
  expect(callsOf('x.ts', call)).toHaveLength(1);
});

test('S-52 a client of the network would be found, also under another name', () => {
  const text = "import { request as ask, type Agent } from 'node:https'; import got from 'got';";
  expect(clientsOf('x.ts', text)).toEqual(['x.ts request of node:https', 'x.ts got of got']);
});

test('S-54 nothing that turns text into markup is a package of the product', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const markup =
    /^(?:react-markdown|marked|markdown-it|markdown-to-jsx|showdown|snarkdown|micromark|mdx|@mdx-js\/.*|remark.*|rehype.*|katex|mathjax.*|mermaid|dompurify|sanitize-html|html-react-parser|linkify.*)$/;
  expect(Object.keys(dependencies).length).toBeGreaterThan(30);
  expect(Object.keys(dependencies).filter((name) => markup.test(name))).toEqual([]);
  const imports = consoleFiles.flatMap(({ path, text }) =>
    nodesOf(path, text).flatMap((node) =>
      ts.isStringLiteral(node) && ts.isImportDeclaration(node.parent) && markup.test(node.text)
        ? [`${path} ${node.text}`]
        : [],
    ),
  );
  expect(imports).toEqual([]);
});

test('S-7 the console has no server actions: every write is a procedure of the API', () => {
  const actions = consoleFiles.flatMap(({ path, text }) =>
    nodesOf(path, text).flatMap((node) =>
      ts.isStringLiteral(node) && node.text === 'use server' ? [path] : [],
    ),
  );
  expect(actions).toEqual([]);
});
