// Documents and pages name only programs that are available to the reader: `npx NAME` downloads and
// runs the package of that name in the npm registry, and Assay has registered no name there.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { root } from './data-dir.mjs';

const Manifest = z.object({
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});
const readManifest = (...path: string[]): z.infer<typeof Manifest> | null => {
  const file = join(root, ...path, 'package.json');
  return existsSync(file) ? Manifest.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
};
const own = readManifest();

/** Programs of other projects, which have registered their names. */
const registered: readonly string[] = ['promptfoo'];

/** Programs that the checkout's packages install: npx runs those, without a download. */
const installed: ReadonlySet<string> = new Set(
  Object.keys({ ...own?.dependencies, ...own?.devDependencies }).flatMap((name) => {
    const bin = readManifest('node_modules', name)?.bin ?? {};
    return typeof bin === 'string' ? [name.replace(/^.*\//, '')] : Object.keys(bin);
  }),
);

/** Flags may come between npx and the name. */
const runs = /\bnpx\s+(?:-\S+\s+)*(@?[a-z][\w./@-]*)|"npx",\s*"args":\s*\[\s*"([^"]+)"/g;
const installs = /\bnpm (?:install|i|exec)\s+(?:-\S+\s+)*(@assay\/\S+|assay(?![\w.-])\S*)/g;
const files = /\bassay-(?:sdk|cli|server)-(\d+\.\d+\.\d+[\w.-]*)\.(?:tgz|cdx\.json)/g;

function unregistered(text: string): string[] {
  const named = [...text.matchAll(runs)]
    .map(([, name = '', argument = '']) => (name || argument).replace(/(?<=.)@.*$|[.,]+$/g, ''))
    .filter((name) => !registered.includes(name) && !installed.has(name));
  const wanted = [...text.matchAll(installs)].map(([, name = '']) => name);
  return [...named, ...wanted];
}

const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (file) =>
      (/\.(?:md|ya?ml)$/.test(file) ||
        (/^(?:app|sdk\/cli)\//.test(file) && /\.tsx?$/.test(file))) &&
      // The specification also describes commands of the code that Assay verifies.
      file !== 'docs/spec/systems.md' &&
      existsSync(join(root, file)),
  );

test('documents and pages run no program whose name is not registered', () => {
  const found = documents.flatMap((file) =>
    unregistered(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(documents).toContain('docs/how-to/install-packages.md');
  expect(found).toEqual([]);
});

test('packed files have the version of this checkout', () => {
  const found = documents.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(files)].map(([, version]) => version),
  );
  expect(new Set(found)).toEqual(new Set([own?.version]));
});

test.each([
  ['npx assay send', ['assay']],
  ['npx --yes assay@latest send', ['assay']],
  ['run `npx @assay/cli`', ['@assay/cli']],
  ['{ "command": "npx", "args": ["assay", "mcp"] }', ['assay']],
  ['npm install --save-dev @assay/sdk', ['@assay/sdk']],
  ['npm i assay', ['assay']],
  ['npx vitest run; npx promptfoo eval; npm install ./assay-sdk-0.1.0.tgz; ./assay send', []],
  ['npm install --prefix /srv/assay-packages autoevals', []],
])('%s', (text, names) => {
  expect(unregistered(text)).toEqual(names);
});
