import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { root } from '../../scripts/data-dir.mjs';
import { run } from '../../scripts/processes.mjs';
import { startEdge, startWorker } from '../../testing/processes';
import { createStack, type Stack } from '../../testing/stack';

/**
 * Runs the tests of the Python client with Debian's pytest: of the wheel built by Debian's tools,
 * against a real edge and worker.
 */

const python = '/usr/bin/python3';
/** Without other Pythons of the machine. */
const plain = { PATH: '/usr/bin:/bin', NODE_ENV: 'test' } as const;
const folder = join(root, 'sdk', 'python');
/** Modules that `npm test` installs (scripts/box.mjs). */
const needs = ['build', 'setuptools', 'wheel', 'pytest', 'mypy'];
const missing = needs.filter(
  (name) => !existsSync(python) || spawnSync(python, ['-c', `import ${name}`]).status !== 0,
);
const files = readdirSync(join(folder, 'tests')).filter((name) => name.startsWith('test_'));

describe.skipIf(missing.length > 0)(
  `Python client${missing.map((name) => ` (Debian's Python has no ${name})`).join('')}`,
  () => {
    let stack: Stack;
    let temporary: string;
    let env: NodeJS.ProcessEnv;

    beforeAll(async () => {
      temporary = mkdtempSync(join(tmpdir(), 'assay-python-'));
      // The build writes next to its sources.
      const sources = join(temporary, 'sources');
      cpSync(folder, sources, { recursive: true });
      const built = await run(python, ['-m', 'build', '--no-isolation', sources], {
        env: plain,
      });
      expect(built.code, built.output).toBe(0);
      const dist = readdirSync(join(sources, 'dist'));
      // Newer versions of setuptools write the name of the source package with an underscore.
      expect(dist.map((name) => name.replace('assay-eval', 'assay_eval')).toSorted()).toEqual([
        'assay_eval-0.1.0-py3-none-any.whl',
        'assay_eval-0.1.0.tar.gz',
      ]);
      const site = join(temporary, 'site');
      const wheel = join(sources, 'dist', 'assay_eval-0.1.0-py3-none-any.whl');
      const unpacked = await run(python, ['-m', 'zipfile', '-e', wheel, site], {});
      expect(unpacked.code, unpacked.output).toBe(0);
      stack = await createStack(inject('databaseUrl'));
      const edge = await startEdge(stack.variables);
      await startWorker(stack.variables);
      env = {
        ...plain,
        PYTHONPATH: site,
        PYTHONDONTWRITEBYTECODE: '1',
        ASSAY_URL: edge.url,
        ASSAY_API_KEY: stack.key,
      };
    });

    afterAll(async () => {
      await stack.close();
      rmSync(temporary, { recursive: true, force: true });
    });

    test.each(files)('%s', async (file) => {
      const { code, output } = await run(
        python,
        ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join('tests', file)],
        { cwd: folder, env },
      );
      expect(code, output).toBe(0);
    });

    test('the types are consistent', async () => {
      const { code, output } = await run(
        python,
        ['-m', 'mypy', '--python-version', '3.9', '--cache-dir', join(temporary, 'mypy')],
        { cwd: folder, env: plain },
      );
      expect(code, output).toBe(0);
    });
  },
);
