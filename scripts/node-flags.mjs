/**
 * Node's flags for the edge. While a process is idle V8 discards compiled code, shrinks the young
 * generation and lowers the limit at which it collects the old one: after nine quiet seconds the
 * first 2,000 requests of 20 spans then cost half as much processor time again. So code is kept,
 * and the old generation may grow to three times its live size before it is collected. The young
 * one has 32 MB from the start, and one thread collects it: little survives, and helper threads
 * cost more than they find (`bench:gateway` G2).
 */
export const edgeFlags = [
  '--enable-source-maps',
  '--no-flush-bytecode',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--no-parallel-scavenge',
  '--heap-growing-percent=200',
];

/**
 * Node's flags for a worker. It has a heap for each of its threads, and reads large data that soon
 * becomes garbage: small young generations, and early collection of the old one, keep it below 512
 * MiB while it assembles a trace of 20,000 spans.
 */
export const workerFlags = [
  '--enable-source-maps',
  '--no-flush-bytecode',
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--heap-growing-percent=20',
];
