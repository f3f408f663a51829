import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cgroupOfSlot, enterCgroup, findCgroupRoot, readCgroup } from './memory-cgroup';

const folder = mkdtempSync(join(tmpdir(), 'assay-cgroup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

/** A /proc/self that names a hierarchy made of plain files. */
function proc(
  cgroup: string,
  mounts: (root: string) => string,
): { readonly path: string; readonly root: string } {
  made += 1;
  const path = join(folder, `proc${made}`);
  const root = join(folder, `fs${made}`);
  mkdirSync(path);
  mkdirSync(root);
  writeFileSync(join(path, 'cgroup'), cgroup);
  writeFileSync(join(path, 'mountinfo'), mounts(root));
  return { path, root };
}

const files = (path: string, contents: Readonly<Record<string, string>>): void => {
  mkdirSync(path, { recursive: true });
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(path, name), content);
};

describe('memory cgroups', () => {
  it.each([
    ['no hierarchy', '', () => ''],
    [
      'a hierarchy without memory',
      '5:cpu:/a\n',
      (root: string) => `30 25 0:26 / ${root} rw - cgroup cgroup rw,cpu\n`,
    ],
    [
      'a hierarchy that cannot be written to',
      '4:memory:/a\n',
      () => '30 25 0:26 / /proc/nothing rw - cgroup cgroup rw,memory\n',
    ],
    [
      'a cgroup outside of the mount',
      '4:memory:/b\n',
      (root: string) => `30 25 0:26 /a ${root} rw - cgroup cgroup rw,memory\n`,
    ],
  ])('S-115 with %s there is none', (_what, cgroup, mounts) => {
    expect(findCgroupRoot(null, proc(cgroup, mounts).path)).toBeNull();
  });

  it('S-115 a folder that was named and is not there gives none', () => {
    expect(findCgroupRoot(join(folder, 'nowhere'))).toBeNull();
  });

  it.each([1, 2] as const)(
    'S-115 version %d: the limit is the cap and a twentieth, and kills before the box are not its own',
    async (version) => {
      const path = join(folder, `v${version}`);
      const names =
        version === 1
          ? ['memory.oom_control', 'memory.usage_in_bytes']
          : ['memory.events', 'memory.current'];
      const [events = '', usage = ''] = names;
      const cgroup = cgroupOfSlot({ version, path }, 7, 3);
      expect(cgroup.path).toBe(join(path, 'assay-box-7-3'));
      files(cgroup.path, { [usage]: String(2 ** 30), 'memory.stat': 'inactive_file 100\n' });
      expect(cgroupOfSlot({ version, path }, 7, 3).path).toBe(join(path, 'assay-box-7-3.1'));
      files(cgroup.path, {
        [events]: 'oom 4\noom_kill 3\n',
        [usage]: '500\n',
        'memory.stat': 'file 90\ninactive_file 100\nactive_file 50\n',
      });
      enterCgroup(cgroup, 4_711, 1_000_000);
      const limit = version === 1 ? 'memory.limit_in_bytes' : 'memory.max';
      expect(
        [limit, 'cgroup.procs'].map((name) => readFileSync(join(cgroup.path, name), 'utf8')),
      ).toEqual(['1050000', '4711']);
      const read = readCgroup(cgroup);
      expect(await read()).toEqual({ bytes: 350, isExceeded: false });
      files(cgroup.path, { [events]: 'oom 5\noom_kill 4\n' });
      expect(await read()).toEqual({ bytes: 350, isExceeded: true });
    },
  );
});
