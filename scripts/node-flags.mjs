/**
 * How Node runs the edge. While a process is idle V8 throws compiled code away, shrinks the young
 * generation and lowers the bound at which it clears the old one: after nine quiet seconds the
 * first 2,000 requests of 20 spans then cost an edge half as much processor time again. So code is
 * kept, and the old generation may grow to three times what is alive before it is cleared. The
 * young one has 32 MB from the start, and one thread clears it: what lives on is little, and
 * helpers that look for it cost more than they find (`bench:gateway` G2).
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
 * How Node runs a worker. It has a heap for each of its threads, and what it reads is large and
 * soon done with: small young generations, and an old one that is cleared early, keep it below 512
 * MiB while it assembles a trace of 20,000 spans.
 */
export const workerFlags = [
  '--enable-source-maps',
  '--no-flush-bytecode',
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--heap-growing-percent=20',
];
