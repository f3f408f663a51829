import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { boxCall } from './box-arguments';
import { type BoxJob, defaultLimits } from './box-job';
import { faultOfSetup, type FoundBox } from './find-box';
import { type BoxState, createBoxMonitor } from './box-monitor';
import { findLauncher, isLauncher, launcherPaths } from './launcher';

const folder = mkdtempSync(join(tmpdir(), 'assay-launcher-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = (name: string, mode: number): string => {
  const path = join(folder, name);
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
  return path;
};
const signal = (): AbortSignal => new AbortController().signal;
const job: BoxJob = { files: [], command: ['/bin/true'] };

describe('the launcher', () => {
  const ownedByRoot = process.getuid?.() === 0;
  it.each([
    ['not there', join(folder, 'none'), 'is not installed'],
    [
      'setuid',
      program('setuid', 0o4755),
      ownedByRoot ? 'is setuid or setgid' : 'does not belong to root',
    ],
    [
      'open to all',
      program('open', 0o757),
      ownedByRoot ? 'can be written to by others than root' : 'does not belong to root',
    ],
    [
      'no program',
      program('plain', 0o644),
      ownedByRoot ? 'cannot be executed' : 'does not belong to root',
    ],
  ])('S-97 a bwrap that is %s is not used', (_what, bwrap, fault) => {
    const found = findLauncher(1000, { ...launcherPaths, bwrap });
    expect(isLauncher(found) ? null : found.reason).toBe(`${bwrap} ${fault}`);
  });

  it('S-84 root without a way to drop the user has no box', () => {
    const bwrap = '/bin/sh';
    const found = findLauncher(0, { bwrap, prlimit: bwrap, setpriv: join(folder, 'none') });
    expect(isLauncher(found) ? null : found.reason).toContain('is not installed');
    const dropping = findLauncher(0, { bwrap, prlimit: bwrap, setpriv: bwrap });
    expect(isLauncher(dropping) && dropping.drop !== null && dropping.drop.uid > 60_000).toBe(true);
  });
});

describe('the arguments of a box', () => {
  const launcher = { bwrap: '/usr/bin/bwrap', prlimit: '/usr/bin/prlimit', drop: null };
  const files = [
    { path: 'a/b.py', content: '' },
    { path: 't/u/x.py', content: '', locked: true },
  ];
  const call = boxCall(launcher, { ...job, files }, defaultLimits, Buffer.alloc(8), [251, 40]);

  it('S-82 contents take the numbers of descriptors that would be inherited', () => {
    expect(call.contents.slice(0, 2).map(({ fd }) => fd)).toEqual([251, 40]);
    expect(new Set(call.contents.map(({ fd }) => fd)).size).toBe(call.contents.length);
    const many = boxCall(
      launcher,
      job,
      defaultLimits,
      Buffer.alloc(8),
      Array.from({ length: 40 }, (_none, index) => 10 + index),
    );
    expect(many.contents.length).toBeGreaterThanOrEqual(40);
  });

  it('S-96 no folder of this machine is bound but /usr, and nothing is mounted after the root is read-only', () => {
    const binds = call.args.flatMap((arg, index) =>
      /^--(ro-)?bind$/.test(arg) ? [call.args[index + 1]] : [],
    );
    expect(binds).toEqual(['/usr']);
    const after = call.args.slice(call.args.lastIndexOf('--remount-ro'));
    expect(
      after.filter((arg) => /^--(ro-)?bind|^--(tmpfs|file|symlink|dev|proc)$/.test(arg)),
    ).toEqual([]);
  });

  it('S-87 a locked file and each folder on its way are mounts', () => {
    const text = call.args.join(' ');
    expect(text).toMatch(
      /--tmpfs \/box\/t --size \d+ --tmpfs \/box\/t\/u .*--ro-bind-data \d+ \/box\/t\/u\/x\.py/,
    );
  });
});

describe('the sandbox monitor', () => {
  const absent: FoundBox = {
    status: 'absent',
    isMissing: false,
    reason: 'No namespaces.',
    fix: 'Allow them.',
  };

  it('S-85 without a box nothing is started, and the reason and the fix are reported', async () => {
    const states: BoxState[] = [];
    const monitor = createBoxMonitor({
      find: async () => absent,
      onChange: (state) => states.push(state),
      now: () => new Date(0),
    });
    expect(monitor.state().state).toBe('unknown');
    const result = await monitor.run(job, signal());
    expect([result.end, result.fault]).toEqual(['setup', 'No namespaces. Allow them.']);
    expect(monitor.state()).toEqual({
      state: 'failing',
      reason: 'No namespaces.',
      fix: 'Allow them.',
      tier: null,
      checkedAt: new Date(0),
    });
    await monitor.check();
    expect(states).toHaveLength(1);
    monitor.stop();
  });

  it('S-85 a box that breaks between two jobs is tested again at once', async () => {
    const launcher = { bwrap: join(folder, 'gone'), prlimit: '/bin/true', drop: null };
    const found: FoundBox[] = [{ status: 'ready', launcher }, absent];
    const monitor = createBoxMonitor({ find: async () => found.shift() ?? absent });
    await monitor.check();
    expect(monitor.state().state).toBe('ready');
    expect((await monitor.run(job, signal())).end).toBe('setup');
    expect(monitor.state()).toMatchObject({ state: 'failing', reason: 'No namespaces.' });
    monitor.stop();
  });

  it('S-85 a failure, as on a busy machine, is confirmed by a second test, and tested again soon while it persists', async () => {
    const ready: FoundBox = {
      status: 'ready',
      launcher: { bwrap: '/bin/true', prlimit: '/bin/true', drop: null },
    };
    const states: string[] = [];
    const options = { onChange: ({ state }: BoxState) => void states.push(state) };
    const once = [absent, ready];
    const busy = createBoxMonitor({ ...options, find: async () => once.shift() ?? absent });
    expect((await busy.check()).state).toBe('ready');
    busy.stop();
    vi.useFakeTimers();
    const found = [absent, absent, ready];
    const failing = createBoxMonitor({ ...options, find: async () => found.shift() ?? absent });
    expect((await failing.check()).state).toBe('failing');
    await vi.advanceTimersByTimeAsync(30_000);
    expect([failing.state().state, states]).toEqual(['ready', ['ready', 'failing', 'ready']]);
    failing.stop();
    vi.useRealTimers();
  });

  it('S-91 an invalid path is no fault of the box', async () => {
    let checks = 0;
    const find = async (): Promise<FoundBox> => {
      checks += 1;
      return {
        status: 'ready',
        launcher: { bwrap: '/bin/true', prlimit: '/bin/true', drop: null },
      };
    };
    const monitor = createBoxMonitor({ find });
    const result = await monitor.run({ ...job, files: [{ path: '../x', content: '' }] }, signal());
    expect([result.end, result.fault, checks]).toEqual([
      'setup',
      'The path "../x" contains the part "..".',
      1,
    ]);
    monitor.stop();
  });

  it.each([
    [
      'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
      'user.max_user_namespaces',
    ],
    [
      'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
      'unprivileged user namespaces',
    ],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'unmasked /proc'],
    ['bwrap: setting up uid map: Operation not permitted', 'unprivileged user namespaces'],
    ['spawn /usr/bin/bwrap ENOENT', 'Install a current bubblewrap'],
  ])('S-85 %s: the fix is reported', (message, fix) => {
    expect(faultOfSetup(message).fix).toContain(fix);
  });
});
