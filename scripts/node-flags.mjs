/**
 * How Node runs the product's own processes. While a process is idle V8 throws compiled code away, shrinks the young generation and
 * lowers the bound at which it clears the old one: after nine quiet seconds the first 2,000 requests of 20 spans then cost an edge half
 * as much processor time again. So code is kept, the young generation keeps the 16 MB to which it grows under load anyway, and the old
 * one may grow to three times what is alive before it is cleared.
 */
export const serviceFlags = ['--enable-source-maps', '--no-flush-bytecode', '--min-semi-space-size=16', '--heap-growing-percent=200'];
