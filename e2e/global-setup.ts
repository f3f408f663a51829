import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instance } from './instance';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** The owner link that the start prints, or an error with all that it printed. */
function ownerLink(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const link = /(\S+\/claim\?token=\S+)/.exec(printed)?.[1];
      if (link !== undefined && printed.includes('Assay runs')) resolve(link);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${printed}`)));
    setTimeout(
      () => reject(new Error(`npm start gave no owner link in 5 minutes:\n${printed}`)),
      300_000,
    ).unref();
  });
}

export default async function globalSetup(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-e2e-'));
  process.env.ASSAY_E2E_STATE = join(dataDir, 'state');
  const [webPort, edgePort, llmPort, apartLlmPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: {
      ...process.env,
      ASSAY_DATA_DIR: dataDir,
      ASSAY_WEB_PORT: String(webPort),
      ASSAY_EDGE_PORT: String(edgePort),
      // A journey may start a scripted provider there; a separate one uses the second.
      ASSAY_OUTBOUND_ALLOW: `127.0.0.1:${llmPort},127.0.0.1:${apartLlmPort}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    }
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const instance: Instance = {
      webUrl: `http://localhost:${webPort}`,
      edgeUrl: `http://localhost:${edgePort}`,
      ownerLink: await ownerLink(child),
      llmPort,
      apartLlmPort,
    };
    process.env.ASSAY_E2E_INSTANCE = JSON.stringify(instance);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
