// Names in the documents must exist: files and folders in code spans and links, headings that links
// lead to, npm scripts and commands of `assay`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './data-dir.mjs';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const folders = [
  'app',
  'server',
  'db',
  'workers',
  'sdk',
  'scripts',
  'testing',
  'demo',
  'bench',
  'e2e',
  'docs',
  'prompts',
  'public',
  'deploy',
  '.ci',
];
const docs = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    // The specification also names files of other projects, and planned commands.
    .filter((name) => name.endsWith('.md') && !name.startsWith('spec/'))
    .map((name) => join('docs', name)),
];

/** Code spans and the lines of fenced blocks. */
function codeOf(text: string): string[] {
  const fenced = [...text.matchAll(/^```[^\n]*\n([^]*?)^```/gm)].flatMap((match) =>
    (match[1] ?? '').split('\n'),
  );
  const spans = [...text.replace(/^```[^\n]*\n[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    (match) => match[1] ?? '',
  );
  return [...fenced, ...spans];
}

/**
 * Words of a code span that are paths of this repository; `<name>` and `…` make one a pattern for
 * future files.
 */
function pathsIn(code: string): string[] {
  return code.split(/[\s,;'"]+/).filter((word) => {
    if (/[<>…=$]|:\/\//.test(word)) return false;
    // Files that an operator creates from the example next to them.
    if (word === 'deploy/.env' || word.startsWith('dist/')) return false;
    const [top = '', ...rest] = word.replace(/^\.\//, '').split('/');
    if (rest.length > 0) return folders.includes(top);
    return /^\.?[a-z][\w.-]*\.(md|cjs|mjs|ts|json)$/i.test(top) && existsAtRoot(top);
  });
}

/**
 * A bare file name is a path of the root only if it is not the name of a file that exists in many
 * folders.
 */
function existsAtRoot(name: string): boolean {
  return (
    /^(\.|[A-Z]+\.md$)/.test(name) ||
    /\.(config\.ts|config\.mjs)$/.test(name) ||
    ['package.json', 'tsconfig.json', 'biome.json', 'knip.json'].includes(name)
  );
}

function isThere(path: string): boolean {
  const plain = path.replace(/[.:]$/, '').replace(/:\d+$/, '');
  if (existsSync(join(root, plain))) return true;
  if (!plain.includes('*')) return false;
  const last = new RegExp(`^${basename(plain).replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  const folder = join(root, dirname(plain));
  return existsSync(folder) && readdirSync(folder).some((name) => last.test(name));
}

/** The commands are quoted words in their source. */
const commands = new Set(
  [
    ...readFileSync(join(root, 'scripts', 'commands.mjs'), 'utf8').matchAll(/'([a-z][a-z-]*)'/g),
  ].map((match) => match[1] ?? ''),
);

/**
 * The anchors of a document's headings, as GitHub generates them: lowercase, digits, hyphens for
 * spaces, and a number on repetition.
 */
function anchorsOf(text: string): ReadonlySet<string> {
  const times = new Map<string, number>();
  const headings = text.replace(/^```[^\n]*\n[^]*?^```/gm, '').matchAll(/^#{1,6} +(.+?)\s*$/gm);
  return new Set(
    Array.from(headings, ([, heading = '']) => {
      const name = heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-');
      const before = times.get(name) ?? 0;
      times.set(name, before + 1);
      return before === 0 ? name : `${name}-${before}`;
    }),
  );
}

/** Links to missing headings, as written. */
function lostAnchors(text: string, doc: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)].flatMap(
    ([, path = '', anchor = '']) => {
      const file = join(root, path === '' ? doc : join(dirname(doc), path));
      const target =
        path === ''
          ? text
          : existsSync(file) && file.endsWith('.md')
            ? readFileSync(file, 'utf8')
            : null;
      return target === null || anchorsOf(target).has(anchor) ? [] : [`${path}#${anchor}`];
    },
  );
}

function missingIn(text: string, doc = 'README.md'): string[] {
  const code = codeOf(text);
  // Code contains no links.
  const prose = text.replace(/^```[^\n]*\n[^]*?^```/gm, '').replace(/`[^`\n]+`/g, '');
  const links = [...prose.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) =>
    join(dirname(doc), match[1] ?? ''),
  );
  const assayCommands = code.flatMap((part) =>
    [...part.matchAll(/(?:^|\s)(?:\.\/)?assay ([a-z][a-z-]*)/g)].map((match) => match[1] ?? ''),
  );
  const named = code.flatMap((part) =>
    [...part.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)].map((match) => match[1] ?? ''),
  );
  const ownOfNpm = ['install', 'ci', 'run', 'exec', 'pack', 'i', 'init', 'sbom'];
  return [
    ...code.flatMap(pathsIn).filter((path) => !isThere(path)),
    ...links.filter((path) => !isThere(path)),
    ...lostAnchors(prose, doc),
    ...named
      .filter((name) => !ownOfNpm.includes(name) && !(name in scripts))
      .map((name) => `npm run ${name}`),
    ...assayCommands.filter((name) => !commands.has(name)).map((name) => `assay ${name}`),
  ];
}

describe('documents', () => {
  it.each(docs)('%s names only existing files and commands', (doc) => {
    expect(missingIn(readFileSync(join(root, doc), 'utf8'), doc)).toEqual([]);
  });

  it('with unknown names are found', () => {
    const text =
      'See `server/gone.ts` and [that](docs/gone.md); run `npm run gone`.\n\n```\nnode scripts/gone.mjs\n```\n';
    expect(missingIn(text)).toEqual([
      'scripts/gone.mjs',
      'server/gone.ts',
      'docs/gone.md',
      'npm run gone',
    ]);
    expect(
      missingIn(
        '# The API\n\n[a](#the-api), [b](#gone), [c](docs/reference/http.md#turns), [d](docs/reference/http.md#gone)',
      ),
    ).toEqual(['#gone', 'docs/reference/http.md#gone']);
    expect(missingIn('`./assay gone`, `assay gate`')).toEqual(['assay gone']);
    expect(
      missingIn(
        '`db/index.ts`, `server/verifiers/<kind>/`, `db/schema/*.ts`, `npm test`, `GET /v1/turns`',
      ),
    ).toEqual([]);
  });
});
