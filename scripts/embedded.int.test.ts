import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needsBuild } from './build.mjs';
import { root } from './data-dir.mjs';

/** `assay eval run FILE --embedded`, in a folder without an instance. */

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-project-'));
  // The user that runs PostgreSQL must pass through.
  chmodSync(folder, 0o711);
  write('items.jsonl', [1, 2].map((n) => JSON.stringify({ id: `i${n}`, input: n })).join('\n'));
  write(
    'answer.mjs',
    `import { writeFileSync } from 'node:fs';
writeFileSync('program', process.argv[1]);
export default ({ input }) => 'Say ' + input;`,
  );
  write('verifiers.yaml', 'slug: words\nkind: checks\nchecks: [{ check: contains, value: Say }]\n');
  write(
    'eval.yaml',
    `dataset: words
items: items.jsonl
target: { module: ./answer.mjs }
verifiers: [words]
gate: { min_pass_rate: { words: { at_least: 0.9 } } }
`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

function run(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { NODE_ENV: 'test' as const, PATH: process.env.PATH ?? '', TMPDIR: folder };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, 'scripts', 'assay.mjs'), 'eval', 'run', ...args],
      { cwd: folder, env },
      (_error, out, err) => resolve({ code: child.exitCode ?? 128, out, err }),
    );
  });
}

test('an evaluation runs on an instance of its own, of which nothing is left', async () => {
  const ended = await run(['eval.yaml', '--embedded', '--verifiers=verifiers.yaml', '--json']);
  expect([ended.code, ended.err], ended.err).toEqual([0, expect.stringContaining('worker ready')]);
  expect(JSON.parse(ended.out)).toMatchObject({
    gate: { passed: true },
    experiment: { state: 'done', counts: { answered: 2 } },
  });
  expect(readdirSync(folder).filter((name) => name.startsWith('assay-'))).toEqual([]);
  const program = readFileSync(join(folder, 'program'), 'utf8');
  // Another instance may run from the bundles of the checkout: they are used, but not rebuilt.
  const isCurrent = !needsBuild();
  expect(basename(dirname(program))).toMatch(isCurrent ? /^dist$/ : /^\.embedded-/);
  expect(existsSync(program)).toBe(isCurrent);
});

test('an address of another instance is refused', async () => {
  const ended = await run(['eval.yaml', '--embedded', '--url', 'http://localhost:1']);
  expect([ended.code, ended.err]).toEqual([
    1,
    expect.stringContaining('has its own address and key'),
  ]);
});
