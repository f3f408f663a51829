// The packed file of the server, installed in an empty folder: it starts without a build.
// Installing needs the registry and minutes, so `npm run test:long` runs that; `npm test` compares
// the packages loaded by the built processes with the dependencies of the package.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { reportFigure } from '../../testing/figures';
import { long, sampleTurn } from '../../testing/stack';
import { processBundles } from '../build.mjs';
import { createAssay } from '../../sdk/client';
import { findFreePort } from '../postgres.mjs';
import { run } from '../processes.mjs';
import { createProgress } from '../progress.mjs';
import { packRelease } from './pack-release.mjs';
import { findScripts, loaded } from './server-package.mjs';

/** Optional packages: the code that loads them also works without them. */
const optional: readonly string[] = ['@valkey/valkey-glide', 'msgpackr-extract', 'pg-native'];

test('the package has every package that its processes and scripts load', async () => {
  // The output goes to files: 80 MB of code through the pipe of esbuild's process would take longer
  // than bundling.
  const outdir = mkdtempSync(join(tmpdir(), 'assay-bundles-'));
  const { metafile } = await build({ ...processBundles, outdir, metafile: true }).finally(() =>
    rmSync(outdir, { recursive: true, force: true }),
  );
  const names = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external === true && !/^(node:|\.)/.test(path))
    .map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path)
    .filter((name) => !builtinModules.includes(name) && !optional.includes(name));
  expect(names).toContain('pino');
  expect([...new Set(names)].filter((name) => !loaded.includes(name))).toEqual([]);
  const scripts = await findScripts();
  expect(scripts).toEqual(
    expect.arrayContaining(['scripts/assay.mjs', 'scripts/instance.mjs', 'scripts/postgres.mjs']),
  );
  const packed = /^(scripts|demo|testing\/scripted-llm)\/[\w-]+\.mjs$/;
  expect(scripts.filter((name) => !packed.test(name))).toEqual([]);
});

/** Building the console and the documentation, and installing, on a machine with other work. */
const installTimeoutMs = 20 * 60_000;

/** 30 s; more only if other work leaves the server less than a whole machine. */
const startLimitMs = (): number =>
  30_000 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

test.runIf(long)(
  'the installed server starts within 30 s, without a build',
  { timeout: installTimeoutMs },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-server-'));
    // The users that run PostgreSQL and the processes must pass through.
    chmodSync(folder, 0o755);
    try {
      const progress = createProgress(() => undefined);
      const out = join(folder, 'release');
      const staging = join(folder, 'staging');
      const packed = await packRelease(['server'], { out, staging, progress });
      const startedAfterMs = await useServer(await install(folder, packed.server ?? ''));
      reportFigure('packed server', { 'start s': Number((startedAfterMs / 1000).toFixed(1)) });
      expect(startedAfterMs).toBeLessThan(startLimitMs());
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** @returns the folder in which the package is installed */
async function install(parent: string, file: string): Promise<string> {
  const folder = mkdtempSync(join(parent, 'installed-'));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', file];
  const done = await run('npm', args, { cwd: folder });
  expect(done.code, done.output).toBe(0);
  const installed = join(folder, 'node_modules', '@assay', 'server');
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain('assay-server-');
  expect(existsSync(join(installed, 'LICENSE'))).toBe(true);
  expect(existsSync(join(folder, 'node_modules', 'vitest'))).toBe(false);
  for (const load of ["await import('@assay/server')", "require('@assay/server')"]) {
    const kind = load.startsWith('await') ? 'module' : 'commonjs';
    const print = ['--input-type', kind, '--eval', `console.log((${load}).program)`];
    const ran = await run(process.execPath, print, { cwd: folder });
    expect(ran.output.trim()).toBe(join(installed, 'scripts', 'assay.mjs'));
  }
  return folder;
}

/** @returns how long the start took, in milliseconds */
async function useServer(folder: string): Promise<number> {
  const program = join(folder, 'node_modules', '.bin', 'assay');
  const [web, edge] = [await findFreePort(), await findFreePort()];
  const env = {
    NODE_ENV: 'test' as const,
    PATH: process.env.PATH ?? '',
    ASSAY_DATA_DIR: 'data',
    ASSAY_WEB_PORT: String(web),
    ASSAY_EDGE_PORT: String(edge),
  };
  const command = async (...args: string[]): Promise<Record<string, unknown>> => {
    const ran = await run(program, [...args, '--json'], { cwd: folder, env });
    expect(ran.code, ran.output).toBe(0);
    return z.record(z.string(), z.unknown()).parse(JSON.parse(ran.output));
  };
  const begun = performance.now();
  const server = spawn(program, ['start'], { cwd: folder, env, stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve) => server.once('close', resolve));
  try {
    expect(await untilRuns(server)).not.toContain('Built');
    const startedAfterMs = performance.now() - begun;
    expect(existsSync(join(folder, 'data', 'logs'))).toBe(true);
    for (const path of ['sign-in', 'docs/', 'api/readyz'])
      expect([path, (await fetch(`http://127.0.0.1:${web}/${path}`)).status]).toEqual([path, 200]);
    await command('projects', 'create', 'packed');
    const scopes = ['--scopes', 'ingest,verify,read'];
    const { key } = await command('keys', 'create', '--project', 'packed', ...scopes);
    const client = createAssay({ url: `http://127.0.0.1:${edge}`, key: String(key) });
    const result = await client.verifyIntegrity(sampleTurn('packed-1'));
    await client.close();
    expect(result).toMatchObject({
      ok: true,
      verification: { state: 'settled', verdict: 'unsourced' },
    });
    const demo = ['demo', '--turns', '5', '--traces', '0', '--tasks', '0', '--plans', '0'];
    const filled = await run(program, [...demo, '--code', '0', '--talks', '0'], {
      cwd: folder,
      env,
    });
    expect(filled.code, filled.output).toBe(0);
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
    return startedAfterMs;
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

/** @returns the output, when the server reports that it runs */
function untilRuns(server: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('Assay runs.')) resolve(output);
    };
    server.stdout?.on('data', take);
    server.stderr?.on('data', take);
    server.once('close', (code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
}
