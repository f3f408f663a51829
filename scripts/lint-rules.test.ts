// The lint rules named in the conventions take effect, including those that need types: without the
// type checker they would report nothing.
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './data-dir.mjs';

const Report = z.object({ diagnostics: z.array(z.object({ code: z.string() })) });

const guilty = `import { Stats } from 'node:fs';
import { useEffect } from 'react';
type Kind = 'a' | 'b';
export async function loose(kind: Kind, any: any, map: Map<Kind, string>): Promise<void> {
  loose(kind, any, map);
  [1].forEach(async () => loose(kind, any, map));
  switch (kind) { case 'a': console.log(map.get(kind)!.length); }
  let never = 1;
  const unused = 2;
  if (never == 2) return process.env.HOME as never;
}
export function Picture({ stats, on }: { stats: Stats; on: boolean }) {
  if (on) useEffect(() => undefined, []);
  return <img src={String(stats.size)} />;
}
export function long(n: number): number {
${'  n += 1;\n'.repeat(150)}  return n;
}
${'export {};\n'.repeat(250)}`;

const guiltyTest = `import { test } from './fixture';
test.only('runs alone', () => undefined);
test.skip('never runs', () => undefined);
`;

describe('lint rules', () => {
  it('report violations', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-lint-rules-'));
    try {
      copyFileSync(join(root, '.oxlintrc.json'), join(dir, '.oxlintrc.json'));
      writeFileSync(
        join(dir, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            strict: true,
            module: 'esnext',
            moduleResolution: 'bundler',
            jsx: 'react-jsx',
          },
        }),
      );
      writeFileSync(join(dir, 'guilty.tsx'), guilty);
      writeFileSync(join(dir, 'guilty.int.test.ts'), guiltyTest);
      const bin = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
      const output = await new Promise<string>((resolve) => {
        execFile(
          process.execPath,
          [bin, '--type-aware', '--format', 'json'],
          { cwd: dir },
          (_error, stdout, stderr) => resolve(stdout || stderr),
        );
      });
      const codes = new Set(
        Report.parse(JSON.parse(output)).diagnostics.map((diagnostic) =>
          diagnostic.code.replace(/^.*\(|\)$/g, ''),
        ),
      );
      const named = [
        'no-explicit-any',
        'no-non-null-assertion',
        'no-floating-promises',
        'no-misused-promises',
        'switch-exhaustiveness-check',
        'no-console',
        'no-process-env',
        'no-unused-vars',
        'eqeqeq',
        'prefer-const',
        'consistent-type-imports',
        'rules-of-hooks',
        'alt-text',
        'max-lines',
        'max-lines-per-function',
        'no-restricted-properties',
      ];
      expect(named.filter((rule) => !codes.has(rule))).toEqual([]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }, 30_000);

  it('are switched off only with a reason', () => {
    const list = execFileSync(
      'git',
      [
        'ls-files',
        '--cached',
        '--others',
        '--exclude-standard',
        '-z',
        '*.ts',
        '*.tsx',
        '*.mjs',
        '*.cjs',
      ],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    const bare = list
      .split('\0')
      .filter((path) => path !== '' && path !== 'scripts/lint-rules.test.ts')
      .flatMap((path) =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .filter((line) => /(oxlint|eslint)-disable(?!.* -- \S)/.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      );
    expect(bare).toEqual([]);
  });
});
