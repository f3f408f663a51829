// What the documents name exists: files and folders in code spans and links, and npm scripts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './data-dir.mjs';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const folders = ['app', 'server', 'db', 'workers', 'sdk', 'scripts', 'bench', 'e2e', 'docs', 'prompts', 'public', 'deploy', '.ci'];
const docs = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** Code spans and the lines of fenced blocks. */
function codeOf(text: string): string[] {
  const fenced = [...text.matchAll(/^```[^\n]*\n([^]*?)^```/gm)].flatMap((match) => (match[1] ?? '').split('\n'));
  const spans = [...text.replace(/^```[^\n]*\n[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  return [...fenced, ...spans];
}

/** Words of a code span that are paths of this repository; `<name>` and `…` make one a pattern of what is to be written. */
function pathsIn(code: string): string[] {
  return code.split(/[\s,;'"]+/).filter((word) => {
    if (/[<>…=$]|:\/\//.test(word)) return false;
    const [top = '', ...rest] = word.replace(/^\.\//, '').split('/');
    if (rest.length > 0) return folders.includes(top);
    return /^\.?[a-z][\w.-]*\.(md|cjs|mjs|ts|json)$/i.test(top) && existsAtRoot(top);
  });
}

/** A bare file name is a path of the root only where it is no name of a file that stands in many folders. */
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

function missingIn(text: string, doc = 'README.md'): string[] {
  const code = codeOf(text);
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => join(dirname(doc), match[1] ?? ''));
  const named = code.flatMap((part) => [...part.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)].map((match) => match[1] ?? ''));
  const ownOfNpm = ['install', 'ci', 'run', 'exec', 'pack', 'i'];
  return [
    ...code.flatMap(pathsIn).filter((path) => !isThere(path)),
    ...links.filter((path) => !isThere(path)),
    ...named.filter((name) => !ownOfNpm.includes(name) && !(name in scripts)).map((name) => `npm run ${name}`),
  ];
}

describe('documents', () => {
  it.each(docs)('%s names only what exists', (doc) => {
    expect(missingIn(readFileSync(join(root, doc), 'utf8'), doc)).toEqual([]);
  });

  it('are found out when they do not', () => {
    const text = 'See `server/gone.ts` and [that](docs/gone.md); run `npm run gone`.\n\n```\nnode scripts/gone.mjs\n```\n';
    expect(missingIn(text)).toEqual(['scripts/gone.mjs', 'server/gone.ts', 'docs/gone.md', 'npm run gone']);
    expect(missingIn('`db/index.ts`, `server/verifiers/<kind>/`, `db/schema/*.ts`, `npm test`, `GET /v1/turns`')).toEqual([]);
  });
});
