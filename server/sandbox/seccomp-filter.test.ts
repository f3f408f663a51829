import { describe, expect, it } from 'vitest';
import { type Architecture, refusedCalls, watchedCalls } from './refused-calls';
import { architectureOf, seccompFilter } from './seccomp-filter';

const eperm = 0x0005_0001;
const enosys = 0x0005_0026;
const allow = 0x7fff_0000;
const kill = 0x8000_0000;
const audit: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** The machine of classic BPF, as far as the filter uses it. @returns what the kernel would do */
function decide(program: Buffer, call: { arch: number; nr: number; args?: readonly number[] }): number {
  const data = new Map([[0, call.nr], [4, call.arch], ...(call.args ?? []).map((value, index) => [16 + index * 8, value] as const)]);
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
  const call = (nr: number, ...args: number[]): number => decide(program, { arch: audit[architecture], nr, args });
  const { clone, clone3, ioctl } = watchedCalls[architecture];

  const numbered = [...refusedCalls].map(([name, numbers]) => [name, numbers[architecture === 'x64' ? 0 : 1]] as const);

  it.each(numbered.filter(([, nr]) => nr >= 0))('S-79 S-95 refuses %s', (_name, nr) => {
    expect(call(nr)).toBe(eperm);
  });

  it('S-79 kills what speaks for another architecture', () => {
    expect(decide(program, { arch: audit[architecture === 'x64' ? 'arm64' : 'x64'], nr: 0 })).toBe(kill);
  });

  it.runIf(architecture === 'x64')('S-79 kills what takes the second way to each call', () => {
    expect(call(0x4000_0000 + 39)).toBe(kill);
  });

  it('S-80 lets clone make processes and threads, and no namespaces; clone3 is unknown', () => {
    expect(call(clone, 17)).toBe(allow);
    expect(call(clone, 0x3d_0f00)).toBe(allow);
    for (const flag of [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000])
      expect(call(clone, flag | 17)).toBe(eperm);
    expect(call(clone3)).toBe(enosys);
  });

  it('S-78 refuses to type into a terminal, and no other request', () => {
    expect([0x5412, 0x541c, 0x5401, 0x5413].map((request) => call(ioctl, 1, request))).toEqual([eperm, eperm, allow, allow]);
  });

  it('lets read, write and what is not listed through', () => {
    const listed = new Set([...numbered.map(([, nr]) => nr), clone3]);
    const others = Array.from({ length: 460 }, (_none, nr) => nr).filter((nr) => !listed.has(nr));
    expect(others.filter((nr) => call(nr) !== allow)).toEqual([]);
  });

  it('is shorter than the kernel takes', () => {
    expect(program.length / 8).toBeLessThan(4_096);
  });
});

it('knows two architectures', () => {
  expect(['x64', 'arm64', 'ia32', 'riscv64'].map(architectureOf)).toEqual(['x64', 'arm64', null, null]);
});
