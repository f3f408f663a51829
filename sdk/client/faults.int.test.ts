import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundleSdk, clientLimitBytes, gzippedBytes } from '../../scripts/build-sdk.mjs';
import {
  type Script,
  type ScriptedIntake,
  startScriptedIntake,
} from '../../testing/scripted-intake';
import { until } from '../../testing/until';
import { timeFactor } from '../../testing/time-factor';
import { type Assay, type AssayOptions, createAssay } from './index';

/** The client, as installed, against a server that misbehaves on real connections. */

let folder = '';
let files: ReadonlyMap<string, string> = new Map();
let intake: ScriptedIntake | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-sdk-'));
  files = await bundleSdk();
  for (const [name, code] of files) writeFileSync(join(folder, `${name}.js`), code);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
});

afterEach(async () => {
  await intake?.close();
  intake = null;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function setUp(
  script: Script = {},
  options: AssayOptions = {},
): Promise<{ assay: Assay; server: ScriptedIntake }> {
  const server = await startScriptedIntake(script);
  intake = server;
  return {
    assay: createAssay({
      url: server.url,
      key: 'asy_test',
      backoffMs: 10,
      maxBackoffMs: 50,
      ...options,
    }),
    server,
  };
}

test('the client is small and imports only files of its own', () => {
  const bytes = gzippedBytes(files, 'client');
  expect(bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThanOrEqual(clientLimitBytes);
  for (const [name, code] of files) {
    const imported = [...code.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']*)["']/g)];
    expect(
      imported.map(([, file = '']) => file).filter((file) => !file.startsWith('./')),
      name,
    ).toEqual([]);
    expect(code, name).not.toMatch(/\brequire\s*\(/);
  }
});

describe('R-2 nothing is lost and nothing is stored twice', () => {
  test.each([
    ['429 with Retry-After', { steps: [{ status: 429, headers: { 'retry-after': '0.2' } }] }],
    [
      '503 three times',
      {
        steps: [{ status: 503 }, { status: 503, headers: { 'retry-after': '0' } }, { status: 503 }],
      },
    ],
    ['connections that break', { steps: ['reset', 'reset'] }],
    ['answers that are lost', { steps: ['take_and_reset', 'take', 'take_and_reset'] }],
    ['a request that hangs', { steps: ['hang'] }],
    [
      'a proxy that answers for the server',
      {
        steps: [
          { status: 502, body: '<html>' },
          { status: 200, body: '<html>' },
        ],
      },
    ],
    ['a limit on bodies', { maxBodyBytes: 2000 }],
  ] as [string, Script][])('%s', async (_name, script) => {
    const { assay, server } = await setUp(script, { maxBatchItems: 100, requestTimeoutMs: 500 });
    const ids = Array.from({ length: 250 }, (_, at) => assay.turn({ output: `answer ${at}` }));
    expect(await assay.close({ timeoutMs: 20_000 })).toBe(true);
    expect([...server.stored.keys()]).toEqual(ids);
    const { accepted, duplicates, rejected, dropped } = assay.stats();
    expect({ sum: accepted + duplicates, rejected, dropped }).toEqual({
      sum: 250,
      rejected: 0,
      dropped: { queue_full: 0, too_large: 0, gave_up: 0, closed: 0, exit: 0 },
    });
  });

  test('Retry-After is honoured', async () => {
    const { assay, server } = await setUp({
      steps: [{ status: 429, headers: { 'retry-after': '0.3' } }],
    });
    assay.turn({ output: 'x' });
    await assay.close();
    expect((server.seen[1]?.at ?? 0) - (server.seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(299);
  });

  test('a refused turn does not affect its neighbours', async () => {
    const refused: string[] = [];
    const { assay, server } = await setUp(
      { refuse: (id) => id.endsWith('7') },
      { onReject: ({ id }) => refused.push(id) },
    );
    for (let at = 0; at < 30; at++) assay.turn({ id: `t${at}`, output: 'x' });
    await assay.close();
    expect(refused).toEqual(['t7', 't17', 't27']);
    expect(server.stored.size).toBe(27);
  });
});

test('bodies are compressed on request', async () => {
  const { assay, server } = await setUp({}, { compression: 'gzip' });
  assay.turn({ id: 'long', output: 'word '.repeat(1000) });
  await assay.close();
  expect(server.seen[0]?.headers['content-encoding']).toBe('gzip');
  expect(Number(server.seen[0]?.headers['content-length'] ?? 0)).toBeLessThan(500);
  expect(server.stored.get('long')).toMatchObject({ output: 'word '.repeat(1000) });
});

/**
 * Runs a host process around the installed client; the code sees `assay` and `server` (its url).
 */
async function runHost(
  server: ScriptedIntake,
  code: string,
  options = '{}',
  signal?: NodeJS.Signals,
): Promise<{ code: number | null; signal: string | null; out: string }> {
  const file = join(folder, `host-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(
    file,
    `import { createAssay } from ${JSON.stringify(pathToFileURL(join(folder, 'client.js')).href)};
const faults = [];
process.on('uncaughtException', (error) => faults.push(error)).on('unhandledRejection', (error) => faults.push(error));
const dropped = [];
const assay = createAssay({ backoffMs: 10, maxBackoffMs: 50, onDrop: (drop) => dropped.push(drop.reason), ...${options} });
process.on('exit', () => { process.stdout.write(JSON.stringify({ faults: faults.map(String), reported: dropped, ...assay.stats() })); });
${code}`,
  );
  const env = { NODE_ENV: 'test' as const, ASSAY_URL: server.url, ASSAY_API_KEY: 'asy_env' };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (signal !== undefined && out === 'ready\n') child.kill(signal);
  });
  return new Promise((resolve) =>
    child.once('close', (exit, by) =>
      resolve({ code: exit, signal: by, out: out.replace('ready\n', '') }),
    ),
  );
}

describe('when the process ends', () => {
  test('remaining turns are sent first, with url and key of the environment', async () => {
    const { server } = await setUp({ steps: [{ status: 503 }] });
    const { code, out } = await runHost(
      server,
      `for (let at = 0; at < 1200; at++) assay.turn({ id: 't' + at, output: 'x' });`,
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ faults: [], accepted: 1200, queued: 0 });
    expect(server.stored.size).toBe(1200);
    expect(server.seen[0]?.headers.authorization).toBe('Bearer asy_env');
  });

  test('an unavailable server does not keep it alive for longer than exitFlushMs, and lost turns are counted', async () => {
    const { server } = await setUp({
      steps: Array.from({ length: 1000 }, () => ({ status: 503 })),
    });
    const began = performance.now();
    const { code, out } = await runHost(
      server,
      `for (let at = 0; at < 3; at++) assay.turn({ output: 'x' });`,
      '{ exitFlushMs: 300 }',
    );
    expect(performance.now() - began).toBeLessThan(timeFactor * 5000);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      faults: [],
      reported: ['exit', 'exit', 'exit'],
      dropped: { exit: 3 },
      queued: 0,
    });
  });

  test.each([['SIGTERM'], ['SIGINT']] as const)(
    '%s: flushes, and the signal has its effect',
    async (signal) => {
      const { server } = await setUp();
      const host = `setInterval(() => undefined, 1000); assay.turn({ id: 'last', output: 'x' }); process.stdout.write('ready\\n');`;
      const ended = await runHost(
        server,
        host,
        '{ handleSignals: true, maxAgeMs: 60_000 }',
        signal,
      );
      expect(ended.signal).toBe(signal);
      expect([...server.stored.keys()]).toEqual(['last']);
    },
  );

  test('a timer of the client does not keep it alive', async () => {
    const { server } = await setUp();
    const { code } = await runHost(
      server,
      `assay.turn({ output: 'x' }); process.exitCode = 3;`,
      '{ flushOnExit: false, maxAgeMs: 600_000 }',
    );
    expect(code).toBe(3);
  });

  test('a host that awaits room gets it, although nothing else keeps it alive', async () => {
    const { server } = await setUp({ steps: ['reset', { status: 503 }] });
    const host = `for (let at = 0; at < 2000; at++) { await assay.ready(); assay.turn({ id: 't' + at, output: 'x'.repeat(100) }); }`;
    const { out } = await runHost(server, host, '{ maxQueueBytes: 20_000, maxBatchItems: 50 }');
    expect(JSON.parse(out)).toMatchObject({
      faults: [],
      accepted: 2000,
      dropped: { queue_full: 0 },
    });
  });
});

test('a client whose server never starts stays within its memory limit, and reports dropped items', async () => {
  const drops: string[] = [];
  const assay = createAssay({
    url: 'http://127.0.0.1:9',
    key: 'asy_test',
    maxQueueBytes: 10_000,
    maxAgeMs: 10,
    flushOnExit: false,
    onDrop: ({ reason }) => drops.push(reason),
  });
  for (let at = 0; at < 1000; at++) assay.turn({ output: 'x'.repeat(100) });
  await until('a request failed', () => (assay.stats().retried > 0 ? true : null));
  const { queuedBytes, queued, dropped } = assay.stats();
  expect(queuedBytes).toBeLessThanOrEqual(10_000);
  expect(dropped.queue_full).toBe(1000 - queued);
  expect(drops).toHaveLength(dropped.queue_full);
  await assay.close({ timeoutMs: 1 });
});
