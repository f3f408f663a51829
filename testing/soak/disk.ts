import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';

/** A file system in memory whose free space can be taken away and given back. */
export interface SmallDisk {
  readonly dir: string;
  /** Shrinks it to what is used: the next write fails with "no space left". */
  fill(): void;
  empty(): void;
  unmount(): void;
}

const sizeMb = 8_000;

function mount(args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr.trim()}`);
}

/** @throws Error if this machine does not permit to mount a file system (root is required) */
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
    empty: () => resize(`${sizeMb}m`),
    unmount() {
      spawnSync('umount', [dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
