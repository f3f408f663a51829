import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, vi } from 'vitest';
import { createTestDatabase, createTestRuntime } from '../../../testing/database';
import { testWith } from '../../../testing/fixture';
import { startObjectStorage, storageKeys } from '../../../testing/object-storage';
import type { Runtime } from '../../runtime';
import { getObject, putObject, readObjectPlace } from './object-storage';
import { restoreBackup } from './restore-backup';
import { writeBackup } from './write-backup';

const test = testWith({ ASSAY_SECRET: 'a secret of the test, long enough' });
let storage: Awaited<ReturnType<typeof startObjectStorage>>;
const env = () => ({ s3Endpoint: storage.url });

beforeAll(async () => {
  storage = await startObjectStorage();
});
afterAll(() => storage.close());
beforeEach(() => {
  for (const [name, value] of Object.entries(storageKeys)) vi.stubEnv(name, value);
  // The configuration of the machine has no effect.
  vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
});
afterEach(() => {
  vi.unstubAllEnvs();
  storage.objects.clear();
  storage.uploads.clear();
  storage.partsTaken = Number.POSITIVE_INFINITY;
  storage.bytesSent = Number.POSITIVE_INFINITY;
});

const withStorage = ({ ctx }: Runtime) => ({
  ...ctx,
  env: { ...ctx.env, s3Endpoint: storage.url },
});
const place = (key: string, bucket = 'backups') => ({ bucket, key });
const text = (size: number) => Readable.from([Buffer.alloc(size, 'x')]);

test('R-45 a backup in object storage restores the database', async ({ runtime, project }) => {
  const written = await writeBackup(withStorage(runtime), 's3://backups/nightly/');
  expect(written.file).toMatch(
    /^s3:\/\/backups\/nightly\/assay-\d{4}-\d\d-\d\dT\d{6}Z\.backup\.gz$/,
  );
  const stored = storage.objects.get(written.file.slice('s3://'.length));
  expect([stored?.length, written.rows > 0]).toEqual([written.bytes, true]);

  const empty = await createTestDatabase(inject('databaseUrl'));
  const target = createTestRuntime(empty.url, {
    ASSAY_SECRET: 'a secret of the test, long enough',
  });
  try {
    const restored = await restoreBackup(withStorage(target), written.file, {
      withoutSecrets: false,
    });
    expect([restored.at, restored.rows]).toEqual([written.at, written.rows]);
    const [row] = await target.ctx.sql`select id from projects where id = ${project.projectId}`;
    expect(row?.id).toBe(project.projectId);
  } finally {
    await target.close();
    await empty.drop();
  }
});

test('R-45 an object that breaks off restores nothing', async ({ runtime }) => {
  const { file } = await writeBackup(withStorage(runtime), 's3://backups/x.gz');
  storage.bytesSent = 1000;
  const empty = await createTestDatabase(inject('databaseUrl'));
  const target = createTestRuntime(empty.url, {
    ASSAY_SECRET: 'a secret of the test, long enough',
  });
  try {
    await expect(
      restoreBackup(withStorage(target), file, { withoutSecrets: false }),
    ).rejects.toThrow(/cannot be read|incomplete/);
  } finally {
    await target.close();
    await empty.drop();
  }
});

test('a large object is stored in parts, whole', async () => {
  const chunks = Array.from({ length: 40 }, () => randomBytes(1024 * 1024));
  const bytes = await putObject(env(), place('large.gz'), Readable.from(chunks));
  expect(bytes).toBe(40 * 1024 * 1024);
  expect(storage.objects.get('backups/large.gz')?.equals(Buffer.concat(chunks))).toBe(true);
  expect(storage.uploads.size).toBe(0);
  const read: Buffer[] = [];
  for await (const chunk of await getObject(env(), place('large.gz'))) read.push(chunk as Buffer);
  expect(Buffer.concat(read).equals(Buffer.concat(chunks))).toBe(true);
});

test('a failed upload leaves no object and no parts', async () => {
  storage.partsTaken = 1;
  const chunks = Array.from({ length: 40 }, () => randomBytes(1024 * 1024));
  await expect(putObject(env(), place('large.gz'), Readable.from(chunks))).rejects.toThrow(
    's3://backups/large.gz could not be stored: AccessDenied: AccessDenied of the test',
  );
  expect([storage.objects.size, storage.uploads.size]).toEqual([0, 0]);
  const broken = Readable.from(
    (async function* () {
      yield randomBytes(20 * 1024 * 1024);
      await Promise.resolve();
      throw new Error('the database went away');
    })(),
  );
  storage.partsTaken = Number.POSITIVE_INFINITY;
  await expect(putObject(env(), place('broken.gz'), broken)).rejects.toThrow(
    'the database went away',
  );
  expect([storage.objects.size, storage.uploads.size]).toEqual([0, 0]);
});

test('an object is never replaced, small or large', async () => {
  for (const size of [10, 20 * 1024 * 1024]) {
    await putObject(env(), place(`${size}.gz`), text(size));
    await expect(putObject(env(), place(`${size}.gz`), text(size))).rejects.toThrow(
      `s3://backups/${size}.gz already exists; choose another key, or a prefix that ends in /`,
    );
  }
});

test('faults say what to fix', async () => {
  await expect(putObject(env(), place('x.gz', 'other'), text(1))).rejects.toThrow(
    'the bucket "other" does not exist',
  );
  await expect(getObject(env(), place('x.gz'))).rejects.toThrow('s3://backups/x.gz does not exist');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another secret');
  await expect(putObject(env(), place('x.gz'), text(1))).rejects.toThrow('SignatureDoesNotMatch');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
  vi.stubEnv('AWS_ACCESS_KEY_ID', '');
  await expect(putObject(env(), place('x.gz'), text(1))).rejects.toThrow(
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  );
  for (const none of ['', undefined]) {
    vi.stubEnv('AWS_REGION', none);
    await expect(getObject(env(), place('x.gz'))).rejects.toThrow('set AWS_REGION');
  }
});

test.for([
  ['s3://backups', { bucket: 'backups', key: '' }],
  ['s3://backups/', { bucket: 'backups', key: '' }],
  ['s3://my.backups-1/a/b.gz', { bucket: 'my.backups-1', key: 'a/b.gz' }],
  ['/var/backups', null],
  ['s3.gz', null],
] as const)('%s is read as a place', ([address, expected]) => {
  expect(readObjectPlace(address)).toEqual(expected);
});

test.for(['s3://', 's3:///key', 's3://UPPER/key', 's3://ab', 's3://-a-/key'])(
  '%s is refused',
  (address) => {
    expect(() => readObjectPlace(address)).toThrow(/must be s3:\/\/BUCKET\/KEY/);
  },
);
