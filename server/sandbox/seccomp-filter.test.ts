import { describe, expect, it } from 'vitest';
import { type Architecture, refusedCalls, uncountedCalls, watchedCalls } from './refused-calls';
import { architectureOf, seccompFilter } from './seccomp-filter';

const eperm = 0x0005_0001;
const enosys = 0x0005_0026;
const allow = 0x7fff_0000;
const kill = 0x8000_0000;
const audit: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/**
 * An interpreter for the parts of classic BPF that the filter uses. @returns the kernel's action
 */
function decide(
  program: Buffer,
  call: { arch: number; nr: number; args?: readonly number[] },
): number {
  const data = new Map([
    [0, call.nr],
    [4, call.arch],
    ...(call.args ?? []).map((value, index) => [16 + index * 8, value] as const),
  ]);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const [ifTrue, ifFalse] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)];
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = (data.get(value) ?? 0) >>> 0;
    else if (code === 0x15) at += accumulator === value ? ifTrue : ifFalse;
    else if (code === 0x35) at += accumulator >= value ? ifTrue : ifFalse;
    else if (code === 0x45) at += (accumulator & value) === 0 ? ifFalse : ifTrue;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the program has no end');
}

describe.each(['x64', 'arm64'] as const)('the filter of %s', (architecture) => {
  const program = seccompFilter(architecture);
  const call = (nr: number, ...args: number[]): number =>
    decide(program, { arch: audit[architecture], nr, args });
  const counted = seccompFilter(architecture, { memoryIsCounted: true });
  const callCounted = (nr: number, ...args: number[]): number =>
    decide(counted, { arch: audit[architecture], nr, args });
  const { clone, clone3, ioctl, socket, socketpair, setsockopt, fcntl } =
    watchedCalls[architecture];

  const numbered = [...refusedCalls].map(
    ([name, numbers]) => [name, numbers[architecture === 'x64' ? 0 : 1]] as const,
  );

  it.each(numbered.filter(([, nr]) => nr >= 0))('S-79 S-95 refuses %s', (_name, nr) => {
    expect(call(nr)).toBe(eperm);
  });

  it('S-79 kills calls of another architecture', () => {
    expect(decide(program, { arch: audit[architecture === 'x64' ? 'arm64' : 'x64'], nr: 0 })).toBe(
      kill,
    );
  });

  it.runIf(architecture === 'x64')('S-79 kills calls of the x32 interface', () => {
    expect(call(0x4000_0000 + 39)).toBe(kill);
  });

  it('S-80 lets clone make processes and threads, and no namespaces; clone3 is unknown', () => {
    expect(call(clone, 17)).toBe(allow);
    expect(call(clone, 0x3d_0f00)).toBe(allow);
    for (const flag of [
      0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
    ])
      expect(call(clone, flag | 17)).toBe(eperm);
    expect(call(clone3)).toBe(enosys);
  });

  it('S-78 refuses to type into a terminal, and no other request', () => {
    expect([0x5412, 0x541c, 0x5401, 0x5413].map((request) => call(ioctl, 1, request))).toEqual([
      eperm,
      eperm,
      allow,
      allow,
    ]);
  });

  it('allows read, write and unlisted calls', () => {
    const listed = new Set([...numbered.map(([, nr]) => nr), clone3, socket, socketpair]);
    const others = Array.from({ length: 460 }, (_none, nr) => nr).filter((nr) => !listed.has(nr));
    expect(others.filter((nr) => callCounted(nr) !== allow)).toEqual([]);
    const uncounted = new Set(uncountedNumbers.map(([, nr]) => nr));
    expect(others.filter((nr) => call(nr) !== allow && !uncounted.has(nr))).toEqual([]);
  });

  const uncountedNumbers = [...uncountedCalls].map(
    ([name, of]) => [name, of[architecture === 'x64' ? 0 : 1], of[2]] as const,
  );

  it.each(uncountedNumbers.filter(([, nr]) => nr >= 0))(
    'S-115 refuses %s unless a cgroup counts memory',
    (_name, nr, error) => {
      expect([call(nr), callCounted(nr)]).toEqual([0x0005_0000 + error, allow]);
    },
  );

  it('S-115 without a cgroup, sockets and pipes keep their size; other options are set', () => {
    for (const option of [7, 8, 32, 33]) {
      expect([call(setsockopt, 3, 1, option), callCounted(setsockopt, 3, 1, option)]).toEqual([
        0x0005_0000,
        allow,
      ]);
      expect(call(setsockopt, 3, 6, option)).toBe(allow);
    }
    expect([
      call(setsockopt, 3, 1, 2),
      call(fcntl, 3, 1031),
      call(fcntl, 3, 1032),
      call(fcntl, 3, 2),
    ]).toEqual([allow, eperm, allow, allow]);
  });

  it.each([
    ['socket', socket],
    ['socketpair', socketpair],
  ])('S-117 %s opens Unix and IP sockets, and no other of 256 families', (_name, nr) => {
    for (const decideOne of [call, callCounted]) {
      const families = Array.from({ length: 256 }, (_none, family) => family);
      expect(families.filter((family) => decideOne(nr, family) === allow)).toEqual([1, 2, 10]);
      expect(
        new Set(
          families
            .filter((family) => ![1, 2, 10].includes(family))
            .map((family) => decideOne(nr, family)),
        ),
      ).toEqual(new Set([0x0005_0061]));
      // The kernel reads an int: the high half has no effect, and -1 is not a family.
      expect(decideOne(nr, 0xffff_ffff)).toBe(0x0005_0061);
    }
  });

  it('is shorter than the kernel takes', () => {
    expect(program.length / 8).toBeLessThan(4_096);
  });
});

it('knows two architectures', () => {
  expect(['x64', 'arm64', 'ia32', 'riscv64'].map(architectureOf)).toEqual([
    'x64',
    'arm64',
    null,
    null,
  ]);
});
