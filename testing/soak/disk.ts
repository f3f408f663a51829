import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';

/** A file system in memory that a fault can fill. */
export interface SmallDisk {
  readonly dir: string;
  /** Removes the free space: the next write fails with "no space left". */
  fill(): void;
  restoreSpace(): void;
  unmount(): void;
}

const sizeMb = 8_000;

function mount(args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr.trim()}`);
}

/** @throws Error if the file system cannot be mounted, which requires root */
export function mountSmallDisk(): SmallDisk {
  const dir = mkdtempSync('/tmp/assay-soak-');
  mount(['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0711`, 'assay-soak', dir]);
  const resize = (size: string): void => mount(['-o', `remount,size=${size}`, dir]);
  return {
    dir,
    fill() {
      const { blocks, bfree, bsize } = statfsSync(dir);
      resize(`${((blocks - bfree) * bsize) / 1024}k`);
    },
    restoreSpace: () => resize(`${sizeMb}m`),
    unmount() {
      spawnSync('umount', [dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
