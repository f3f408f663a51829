import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Ctx } from '../../platform';
import { SnapshotContent } from './content';

/** The file's format: the content, and when PostgreSQL last confirmed it. */
const Written = z.object({
  version: z.literal(1),
  confirmedAt: z.iso.datetime(),
  content: SnapshotContent,
});

export interface StoredSnapshot {
  readonly content: SnapshotContent;
  readonly confirmedAt: Date;
}

/** The gateway's folder in the data folder, created if missing. @throws on file system errors */
export function openGatewayDir(dataDir: string): string {
  const dir = join(/* turbopackIgnore: true */ dataDir, 'gateway');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

export interface SnapshotFile {
  /** The file at startup; null if none, or unusable. */
  readonly stored: StoredSnapshot | null;
  /** Writes in the background. Only the last of several pending snapshots is written. */
  write(snapshot: StoredSnapshot): void;
  idle(): Promise<void>;
}

/** The snapshot file of this replica. Disk errors are logged and do not stop the gateway. */
export function openSnapshotFile(
  ctx: Pick<Ctx, 'log'>,
  dataDir: string | null,
  replica: string,
): SnapshotFile {
  let writing: Promise<void> = Promise.resolve();
  let latest: StoredSnapshot | null = null;
  const logFault = (error: unknown): void =>
    ctx.log.warn({ err: error }, 'the gateway cannot store its configuration on disk');
  const path = findPath(dataDir, replica, logFault);
  let stored: StoredSnapshot | null = null;
  try {
    stored = path === null ? null : readSnapshotFile(path);
  } catch (error) {
    ctx.log.warn({ err: error, path }, 'the configuration on disk cannot be read and is ignored');
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
        if (now !== null) await writeAtomically(path, now).catch(logFault);
      });
    },
    idle: () => writing,
  };
}

function findPath(
  dataDir: string | null,
  replica: string,
  logFault: (error: unknown) => void,
): string | null {
  if (dataDir === null) return null;
  try {
    return join(/* turbopackIgnore: true */ openGatewayDir(dataDir), `${replica}.snapshot.json`);
  } catch (error) {
    logFault(error);
    return null;
  }
}

/** Null if there is no file. @throws Error if it cannot be read */
function readSnapshotFile(path: string): StoredSnapshot | null {
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

/** Atomic: a crash during the write leaves the previous file. Readable by its owner only. */
async function writeAtomically(
  path: string,
  { content, confirmedAt }: StoredSnapshot,
): Promise<void> {
  const written: z.input<typeof Written> = {
    version: 1,
    confirmedAt: confirmedAt.toISOString(),
    content,
  };
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(written), { mode: 0o600 });
  await rename(temporary, path);
}
