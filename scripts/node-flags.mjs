/**
 * How Node runs the product's own processes. V8 throws compiled code away and shrinks the young generation while a process is idle;
 * after ten quiet seconds an edge then took up to twice the processor time for a span, until it was warm again (bench:ingest, I1).
 * 16 MB is the size to which the young generation grows under load anyway.
 */
export const serviceFlags = ['--enable-source-maps', '--no-flush-bytecode', '--min-semi-space-size=16'];
