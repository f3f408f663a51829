import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../../scripts/data-dir.mjs';
import { startScriptedIntake } from '../../testing/scripted-intake';

test('the command of the checkout finds files relative to the caller, and needs no database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-dispatch-'));
  const server = await startScriptedIntake();
  try {
    writeFileSync(join(folder, 'turns.jsonl'), '{"id":"d-1","output":"x"}\n');
    const env = {
      NODE_ENV: 'test' as const,
      PATH: process.env.PATH,
      ASSAY_DATA_DIR: join(folder, 'data'),
      ASSAY_URL: server.url,
      ASSAY_API_KEY: 'asy_test',
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(root, 'scripts', 'assay.mjs'), 'send', 'turns.jsonl'],
      {
        cwd: folder,
        env,
      },
    );
    expect(stdout).toBe('accepted 1, duplicates 0, rejected 0\n');
    expect([...server.stored.keys()]).toEqual(['d-1']);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
