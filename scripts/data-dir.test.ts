import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  findInstance,
  makeDataDir,
  readSecret,
  resolveDataDir,
  root,
  takeInstance,
} from './data-dir.mjs';
import { startTimeOf } from './processes.mjs';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-data-dir-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function taken(): ReturnType<typeof takeInstance> {
  return takeInstance(dir, { kind: 'start', webUrl: 'http://localhost:3000' });
}

test('ASSAY_DATA_DIR wins; otherwise each checkout has its own folder', () => {
  expect(resolveDataDir({ ...process.env, ASSAY_DATA_DIR: '/somewhere' })).toBe('/somewhere');
  const own = resolveDataDir({ ...process.env, ASSAY_DATA_DIR: undefined });
  const isRoot = process.getuid?.() === 0;
  expect(own.replace(/-[0-9a-f]{8}$/, '-#')).toBe(
    isRoot ? `/var/lib/assay/${basename(root)}-#` : join(root, '.assay'),
  );
});

test('a second instance on the same data detects the first', () => {
  const first = taken();
  expect(first).toHaveProperty('release');
  const second = taken();
  expect(second).toMatchObject({ pid: process.pid, webUrl: 'http://localhost:3000' });
  expect(statSync(join(dir, 'instance.json')).mode & 0o777).toBe(0o600);
});

test('values added later are found, and release removes the file', () => {
  const lock = taken();
  if ('pid' in lock) throw new Error('not taken');
  expect(findInstance(dir)).not.toHaveProperty('databaseUrl');
  lock.update({ databaseUrl: 'postgres://x' });
  expect(findInstance(dir)).toMatchObject({ databaseUrl: 'postgres://x', kind: 'start' });
  lock.release();
  expect(readdirSync(dir)).toEqual([]);
});

test('a file of a dead process, or one whose pid was reused, is replaced', () => {
  for (const stale of [
    { pid: 9_999_999, startTime: '1' },
    { pid: process.ppid, startTime: `${startTimeOf(process.ppid)}0` },
  ]) {
    writeFileSync(join(dir, 'instance.json'), JSON.stringify({ ...stale, kind: 'start' }));
    expect(findInstance(dir)).toBeUndefined();
    const lock = taken();
    if ('pid' in lock) throw new Error('not taken');
    lock.release();
  }
  writeFileSync(join(dir, 'instance.json'), '{"pid":');
  expect(taken()).toHaveProperty('release');
});

test('the secret is generated once, is long enough and unreadable to others', () => {
  const env = { ...process.env, ASSAY_SECRET: undefined };
  const secret = readSecret(dir, env);
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(readSecret(dir, env)).toBe(secret);
  expect(statSync(join(dir, 'secret')).mode & 0o777).toBe(0o600);
  expect(readSecret(dir, { ...env, ASSAY_SECRET: 'given' })).toBe('given');
  writeFileSync(join(dir, 'secret'), 'short');
  expect(() => readSecret(dir, env)).toThrow('does not contain a secret of 32 bytes');
  expect(readFileSync(join(dir, 'secret'), 'utf8')).toBe('short');
});

test('a data folder that cannot be created is reported with its path and the variable', () => {
  writeFileSync(join(dir, 'file'), '');
  expect(() => makeDataDir(join(dir, 'file', 'below'))).toThrow(
    /^The data folder \S+\/file\/below cannot be used .*set ASSAY_DATA_DIR/,
  );
});
