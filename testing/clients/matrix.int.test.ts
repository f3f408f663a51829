// `npm run clients`: current versions of real clients, each in a separate folder and unmodified,
// against a scripted model, a real edge and a real worker.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { catalog, cellNames } from './catalog';
import { installClient } from './install';
import { describeStored, readCells } from './read-cells';
import { everyCell, type ReportRow, tableOf, writeReport } from './report';
import { type ClientStack, startClientStack } from './run-client';

let stack: ClientStack;
const rows = new Map<string, ReportRow>();

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const asked = (process.env.ASSAY_CLIENTS ?? '').split('\n').filter(Boolean).map(plain);
const chosen = catalog.filter(
  ({ name }) => asked.length === 0 || asked.some((part) => plain(name).includes(part)),
);
if (chosen.length === 0)
  throw new Error(`no such client; there are: ${catalog.map(({ name }) => name).join(', ')}`);

beforeAll(async () => {
  stack = await startClientStack(inject('databaseUrl'));
});

afterAll(async () => {
  const all = chosen.flatMap(({ name }) => rows.get(name) ?? []);
  process.stdout.write(`\n${tableOf(all)}\n`);
  if (all.length === catalog.length) writeReport(all, new Date().toISOString().slice(0, 10));
  await stack.close();
});

test.concurrent.for(chosen)('$name ($way)', async (client, { expect, skip }) => {
  const installed = await installClient(client);
  if (typeof installed === 'string') {
    rows.set(client.name, { client, version: null, cells: everyCell('') });
    process.stdout.write(`${client.name} could not be installed. ${installed}\n`);
    skip(installed);
    return;
  }
  const { folder, version } = installed;
  rows.set(client.name, { client, version, cells: everyCell('NO') });
  try {
    const stored = await stack.run(client, installed);
    const cells = readCells(client, stored);
    rows.set(client.name, { client, version, cells });
    const wrong = cellNames.filter((name) => cells[name] === 'NO');
    expect(wrong, describeStored(stored)).toEqual([]);
    if (client.note !== undefined) expect(stored.notes.join('\n')).toContain(client.note);
    if (client.score !== undefined) expect(stored.scores).toContain(client.score);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
