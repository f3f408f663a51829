import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/data-dir.mjs';
import type { CatalogClient } from './catalog';

const drivers = join(root, 'testing', 'clients', 'drivers');
const runners = { mjs: process.execPath, sh: 'sh', py: 'python3' };
const installMs = 180_000;
const driveMs = 120_000;

interface Ended {
  /** Null if a signal ended it, such as that of its time limit, or if it never started. */
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end, at most `timeoutMs`; never throws. */
function runProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  timeoutMs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        NODE_ENV: 'production',
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        ...env,
      },
    });
    let output = '';
    const collectOutput = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-8_000);
    };
    child.stdout.on('data', collectOutput);
    child.stderr.on('data', collectOutput);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** A client in a separate folder. */
export interface InstalledClient {
  readonly folder: string;
  /** The version of the package that names it, or of its program. */
  readonly version: string;
}

/**
 * Installs a client's packages and copies the drivers next to them.
 * @returns the end of npm's output instead if that fails, which is not a fault of Assay
 */
export async function installClient(client: CatalogClient): Promise<InstalledClient | string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-client-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  for (const file of readdirSync(drivers)) copyFileSync(join(drivers, file), join(folder, file));
  const [first] = client.packages;
  if (first === undefined) return installedProgram(client, folder);
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress'];

  const { code, output } = await runProgram(
    'npm',
    [...args, ...client.packages],
    folder,
    installMs,
  );
  if (code !== 0) return `npm install: ${output.slice(-1_000)}`;
  const name = first.replace(/(?<=.)@.*$/, '');
  const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return { folder, version: versionIn(manifest) };
}

/** A program of the machine: `curl` or Python. */
async function installedProgram(
  { driver }: CatalogClient,
  folder: string,
): Promise<InstalledClient | string> {
  const program = driver.endsWith('.py') ? 'python3' : 'curl';
  const { code, output } = await runProgram(program, ['--version'], folder, driveMs);
  if (code !== 0) return `${program} --version: ${output.slice(-1_000)}`;
  return { folder, version: /\d[\d.]+/.exec(output)?.[0] ?? '' };
}

function versionIn(manifest: string): string {
  const { version } = JSON.parse(manifest) as { readonly version?: unknown };
  return typeof version === 'string' ? version : '';
}

/**
 * Runs a client's driver.
 * @throws Error with the end of its output if it fails
 */
export async function driveClient(
  { driver }: CatalogClient,
  { folder }: InstalledClient,
  env: Readonly<Record<'ASSAY_URL' | 'ASSAY_KEY' | 'LLM_URL' | 'SESSION', string>>,
): Promise<void> {
  const runner = driver.endsWith('.py')
    ? runners.py
    : driver.endsWith('.sh')
      ? runners.sh
      : runners.mjs;
  const { code, output } = await runProgram(runner, [driver], folder, driveMs, env);
  if (code !== 0) throw new Error(`${driver} ended with ${code}: ${output.slice(-3_000)}`);
}
