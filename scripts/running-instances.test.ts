import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeInstance } from './data-dir.mjs';
import { findInstances, noteInstance } from './running-instances.mjs';

let folder = '';
let notes = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-running-'));
  notes = join(folder, 'running');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An instance of this process; its database accepts connections. */
function run(): { readonly dataDir: string; readonly stop: () => void } {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  const lock = takeInstance(dataDir, { kind: 'start', edgeUrl: 'http://localhost:4318' });
  if ('pid' in lock) throw new Error('not taken');
  lock.update({ databaseUrl: 'postgres://x' });
  return { dataDir, stop: lock.release };
}
const found = (env: NodeJS.ProcessEnv) => findInstances(env, notes).map(({ dataDir }) => dataDir);
/** A checkout whose own data folder has no instance. */
const nothing = { ...process.env, ASSAY_DATA_DIR: '' };

test('instances are found by their notes, and by the folder of the settings alone if it is set', () => {
  const [one, other] = [run(), run()];
  expect(found(nothing)).toEqual([]);
  const remove = noteInstance(one.dataDir, notes);
  expect(found(nothing)).toEqual([one.dataDir]);
  noteInstance(other.dataDir, notes);
  expect(found(nothing).sort()).toEqual([one.dataDir, other.dataDir].sort());
  expect(found({ ...nothing, ASSAY_DATA_DIR: other.dataDir })).toEqual([other.dataDir]);
  expect(found({ ...nothing, ASSAY_DATA_DIR: folder })).toEqual([]);
  remove();
  expect(found(nothing)).toEqual([other.dataDir]);
});

test('the note of an instance that no longer runs is removed; without a folder an instance runs', () => {
  const { dataDir, stop } = run();
  noteInstance(dataDir, notes);
  stop();
  expect(found(nothing)).toEqual([]);
  expect(readdirSync(notes)).toEqual([]);
  writeFileSync(join(folder, 'file'), '');
  expect(() => noteInstance(dataDir, join(folder, 'file'))()).not.toThrow();
});
