// The seccomp filter of a box: a classic BPF program over struct seccomp_data (linux/seccomp.h: nr at 0, arch at 4,
// args[6] of 8 bytes from 16). bubblewrap loads it from a descriptor, as an array of struct sock_filter
// (linux/filter.h: u16 code, u8 jt, u8 jf, u32 k), in the machine's byte order; both architectures are little-endian.
import { type Architecture, refusedCalls, watchedCalls } from './refused-calls';

const load = 0x20;
const jumpEqual = 0x15;
const jumpAtLeast = 0x35;
const jumpAnyBit = 0x45;
const give = 0x06;

const allow = 0x7fff_0000;
const killProcess = 0x8000_0000;
const refuse = 0x0005_0000 + 1; // SECCOMP_RET_ERRNO with EPERM
const unknown = 0x0005_0000 + 38; // … with ENOSYS: glibc then takes clone, whose flags a filter can read

const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number): number => 16 + index * 8;

const auditArchitecture: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
/** Numbers from here on are the x32 interface: a second way to each call. */
const x32From = 0x4000_0000;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespaces = 0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000;
/** TIOCSTI types into a terminal, TIOCLINUX pastes into a console. The kernel reads 32 bits of the request, and so does this. */
const terminalRequests = [0x5412, 0x541c];

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** @returns the program for one architecture, as bubblewrap's `--seccomp` reads it */
export function seccompFilter(architecture: Architecture): Buffer {
  const { clone, clone3, ioctl } = watchedCalls[architecture];
  const column = architecture === 'x64' ? 0 : 1;
  const program: Instruction[] = [
    [load, 0, 0, architectureAt],
    [jumpEqual, 1, 0, auditArchitecture[architecture]],
    [give, 0, 0, killProcess],
    [load, 0, 0, numberAt],
  ];
  if (architecture === 'x64') program.push([jumpAtLeast, 0, 1, x32From], [give, 0, 0, killProcess]);
  for (const numbers of refusedCalls.values()) {
    const number = numbers[column];
    if (number >= 0) program.push([jumpEqual, 0, 1, number], [give, 0, 0, refuse]);
  }
  program.push(
    [jumpEqual, 0, 1, clone3],
    [give, 0, 0, unknown],
    [jumpEqual, 0, 4, clone],
    [load, 0, 0, argumentAt(0)],
    [jumpAnyBit, 0, 1, newNamespaces],
    [give, 0, 0, refuse],
    [give, 0, 0, allow],
    [jumpEqual, 0, terminalRequests.length * 2 + 1, ioctl],
    [load, 0, 0, argumentAt(1)],
    ...terminalRequests.flatMap((request): Instruction[] => [
      [jumpEqual, 0, 1, request],
      [give, 0, 0, refuse],
    ]),
    [give, 0, 0, allow],
  );
  return encode(program);
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, value], index) => {
    const at = index * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(value >>> 0, at + 4);
  });
  return bytes;
}

/** @returns null on a machine that no filter is made for: there is no box then */
export function architectureOf(name: string): Architecture | null {
  return name === 'x64' || name === 'arm64' ? name : null;
}
