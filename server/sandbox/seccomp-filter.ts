// The seccomp filter of a box: a classic BPF program over struct seccomp_data (linux/seccomp.h: nr
// at 0, arch at 4, args[6] of 8 bytes from 16). bubblewrap loads it from a descriptor, as an array
// of struct sock_filter (linux/filter.h: u16 code, u8 jt, u8 jf, u32 k), in the machine's byte
// order; both architectures are little-endian.
import { type Architecture, refusedCalls, uncountedCalls, watchedCalls } from './refused-calls';

const load = 0x20;
const jumpEqual = 0x15;
const jumpAtLeast = 0x35;
const jumpAnyBit = 0x45;
const give = 0x06;

const allow = 0x7fff_0000;
const killProcess = 0x8000_0000;
/** SECCOMP_RET_ERRNO. */
const answer = (error: number): number => 0x0005_0000 + error;
const refuse = answer(1); // EPERM
const unknown = answer(38); // ENOSYS: glibc then uses clone, whose flags a filter can read
const noSuchFamily = answer(97); // EAFNOSUPPORT: the error of a kernel without the family
const ignore = answer(0); // the call does nothing and reports success

const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number): number => 16 + index * 8;

const auditArchitecture: Readonly<Record<Architecture, number>> = {
  x64: 0xc000_003e,
  arm64: 0xc000_00b7,
};
/** Numbers from here on are the x32 ABI, a second way to make each call. */
const x32From = 0x4000_0000;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespaces =
  0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000;
/**
 * TIOCSTI types into a terminal, TIOCLINUX pastes into a console. The kernel reads 32 bits of the
 * request, and so does the filter.
 */
const terminalRequests = [0x5412, 0x541c];

/**
 * AF_UNIX, AF_INET, AF_INET6. A network namespace does not confine other families: AF_VSOCK reaches
 * the host.
 */
const families = [1, 2, 10];
/** SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE, all of level SOL_SOCKET. */
const bufferSizes = [7, 8, 32, 33];
const socketLevel = 1;
const setPipeSize = 1031;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

export interface FilterOptions {
  /**
   * Whether a memory cgroup counts all memory of the box; calls whose memory nothing else counts
   * are then allowed.
   */
  readonly memoryIsCounted?: boolean;
}

/** @returns the program for one architecture, as bubblewrap's `--seccomp` reads it */
export function seccompFilter(
  architecture: Architecture,
  { memoryIsCounted = false }: FilterOptions = {},
): Buffer {
  const { clone, clone3, ioctl, socket, socketpair } = watchedCalls[architecture];
  const column = architecture === 'x64' ? 0 : 1;
  const program: Instruction[] = [
    [load, 0, 0, architectureAt],
    [jumpEqual, 1, 0, auditArchitecture[architecture]],
    [give, 0, 0, killProcess],
    [load, 0, 0, numberAt],
  ];
  if (architecture === 'x64') program.push([jumpAtLeast, 0, 1, x32From], [give, 0, 0, killProcess]);
  for (const numbers of refusedCalls.values())
    program.push(...ifEqual(numbers[column], [[give, 0, 0, refuse]]));
  if (!memoryIsCounted) program.push(...withoutUncounted(architecture));
  program.push(
    ...ifEqual(clone3, [[give, 0, 0, unknown]]),
    ...ifEqual(clone, [
      [load, 0, 0, argumentAt(0)],
      [jumpAnyBit, 0, 1, newNamespaces],
      [give, 0, 0, refuse],
      [give, 0, 0, allow],
    ]),
    ...[socket, socketpair].flatMap((call) =>
      ifEqual(call, onlyOf(0, families, allow, noSuchFamily)),
    ),
    ...ifEqual(ioctl, onlyOf(1, terminalRequests, refuse, allow)),
    [give, 0, 0, allow],
  );
  return encode(program);
}

/**
 * Without a cgroup: no memory outside processes and file systems, and no larger socket or pipe
 * buffers.
 */
function withoutUncounted(architecture: Architecture): readonly Instruction[] {
  const { setsockopt, fcntl } = watchedCalls[architecture];
  const column = architecture === 'x64' ? 0 : 1;
  return [
    ...[...uncountedCalls.values()].flatMap((call) =>
      ifEqual(call[column], [[give, 0, 0, answer(call[2])]]),
    ),
    ...ifEqual(setsockopt, [
      [load, 0, 0, argumentAt(1)],
      [jumpEqual, 1, 0, socketLevel],
      [give, 0, 0, allow],
      ...onlyOf(2, bufferSizes, ignore, allow),
    ]),
    ...ifEqual(fcntl, onlyOf(1, [setPipeSize], refuse, allow)),
  ];
}

/**
 * Runs `then`, which must end with an answer, if the accumulator equals `value`; empty for a call
 * that does not exist (-1).
 */
function ifEqual(value: number, then: readonly Instruction[]): readonly Instruction[] {
  return value < 0 ? [] : [[jumpEqual, 0, then.length, value], ...then];
}

/** Answers by the low 32 bits of an argument; the kernel reads no more of an int. */
function onlyOf(
  argument: number,
  values: readonly number[],
  listed: number,
  others: number,
): readonly Instruction[] {
  const tests = values.flatMap((value) => ifEqual(value, [[give, 0, 0, listed]]));
  return [[load, 0, 0, argumentAt(argument)], ...tests, [give, 0, 0, others]];
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

/** @returns null for an architecture without a filter: there is no box then */
export function architectureOf(name: string): Architecture | null {
  return name === 'x64' || name === 'arm64' ? name : null;
}
