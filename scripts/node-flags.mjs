/**
 * Node's flags for the edge. While a process is idle, V8 discards compiled code, shrinks the young
 * generation and lowers the limit at which it collects the old one. After nine idle seconds, the
 * first 2,000 requests of 20 spans then cost half as much processor time again. These flags keep
 * the code, and let the old generation grow to three times its live size before it is collected.
 * The young generation has 32 MB from the start, and one thread collects it: few objects survive,
 * and helper threads cost more than they gain (`bench:gateway` G2).
 */
export const edgeFlags = [
  '--no-flush-bytecode',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--no-parallel-scavenge',
  '--heap-growing-percent=200',
];

/**
 * Node's flags for a worker. Each of its threads has a heap, and it reads large data that soon
 * becomes garbage. Small young generations and early collection of the old one keep it below 512
 * MiB while it assembles a trace of 20,000 spans.
 */
export const workerFlags = [
  '--no-flush-bytecode',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--heap-growing-percent=20',
];
