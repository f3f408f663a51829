import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../scripts/bundle-options.mjs';
import { root } from '../scripts/data-dir.mjs';
import { builtFile } from './built';

/** Runs the commands of sdk/cli as a process, in a separate folder. */

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Standard output as JSON, for commands with `--json`. */
  json(): Record<string, unknown>;
}

export interface Running {
  /** Its standard output so far. */
  out(): string;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<CliRun>;
}

export interface Cli {
  /** The folder of the test's files, in which commands run. */
  readonly folder: string;
  /** The bundled program. */
  readonly file: string;
  start(args: readonly string[], input?: string): Running;
  run(args: readonly string[], input?: string): Promise<CliRun>;
  close(): void;
}

export async function createCli(variables: Readonly<Record<string, string>>): Promise<Cli> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-cli-'));
  const file = builtFile('cli') ?? join(folder, 'cli.mjs');
  if (file.startsWith(folder))
    await build({
      absWorkingDir: root,
      entryPoints: ['sdk/cli/main.ts'],
      outfile: file,
      ...bundleOptions,
    });

  function start(args: readonly string[], input = ''): Running {
    const env = { NODE_ENV: 'test' as const, PATH: process.env.PATH ?? '', ...variables };
    const child = spawn(process.execPath, [file, ...args], { cwd: folder, env, stdio: 'pipe' });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    // A command that fails early does not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const ended = new Promise<CliRun>((resolve) => {
      child.once('close', (code) =>
        resolve({
          code: code ?? 128,
          out,
          err,
          json: () => JSON.parse(out) as Record<string, unknown>,
        }),
      );
    });
    return { out: () => out, kill: (signal) => void child.kill(signal), ended };
  }

  return {
    folder,
    file,
    start,
    run: (args, input) => start(args, input).ended,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
