import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Ctx } from '../../platform';
import { SnapshotContent } from './content';

/** What lies on the disk: the content, and when PostgreSQL last confirmed it. */
const Written = z.object({
  version: z.literal(1),
  confirmedAt: z.iso.datetime(),
  content: SnapshotContent,
});

export interface DiskSnapshot {
  readonly content: SnapshotContent;
  readonly confirmedAt: Date;
}

/**
 * The folder of the gateway in the data folder, made where it is missing. @throws on faults of the
 * file system
 */
export function openGatewayDir(dataDir: string): string {
  const dir = join(/* turbopackIgnore: true */ dataDir, 'gateway');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

export interface SnapshotFile {
  /** What lay there at the start; null: nothing that can be used. */
  readonly stored: DiskSnapshot | null;
  /** Behind; of several that wait only the last is written. */
  write(snapshot: DiskSnapshot): void;
  idle(): Promise<void>;
}

/**
 * The file of this replica; a disk that fails is told of in the log, and is no reason not to serve.
 */
export function openSnapshotFile(
  ctx: Pick<Ctx, 'log'>,
  dataDir: string | null,
  replica: string,
): SnapshotFile {
  let writing: Promise<void> = Promise.resolve();
  let latest: DiskSnapshot | null = null;
  const warn = (error: unknown): void =>
    ctx.log.warn({ err: error }, 'the gateway cannot keep its configuration on the disk');
  const path = findPath(dataDir, replica, warn);
  let stored: DiskSnapshot | null = null;
  try {
    stored = path === null ? null : readSnapshot(path);
  } catch (error) {
    ctx.log.warn(
      { err: error, path },
      'the configuration on the disk cannot be read and is not used',
    );
  }
  return {
    stored,
    write(snapshot) {
      if (path === null) return;
      const waits = latest !== null;
      latest = snapshot;
      if (waits) return;
      writing = writing.then(async () => {
        const now = latest;
        latest = null;
        if (now !== null) await writeWhole(path, now).catch(warn);
      });
    },
    idle: () => writing,
  };
}

function findPath(
  dataDir: string | null,
  replica: string,
  warn: (error: unknown) => void,
): string | null {
  if (dataDir === null) return null;
  try {
    return join(/* turbopackIgnore: true */ openGatewayDir(dataDir), `${replica}.snapshot.json`);
  } catch (error) {
    warn(error);
    return null;
  }
}

/** Null where there is none. @throws Error where there is one and it cannot be read */
function readSnapshot(path: string): DiskSnapshot | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const { content, confirmedAt } = Written.parse(JSON.parse(text));
  return { content, confirmedAt: new Date(confirmedAt) };
}

/**
 * Whole or not at all: a process that dies while it writes leaves the file before. Readable by its
 * owner only.
 */
async function writeWhole(path: string, { content, confirmedAt }: DiskSnapshot): Promise<void> {
  const written: z.input<typeof Written> = {
    version: 1,
    confirmedAt: confirmedAt.toISOString(),
    content,
  };
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(written), { mode: 0o600 });
  await rename(temporary, path);
}
