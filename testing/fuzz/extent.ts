import { long } from '../stack';

/** How much a fuzz test runs: a number of inputs, or a time. */
export type Extent = { readonly inputs: number } | { readonly seconds: number };

/**
 * The given number of inputs, so that a run on a slow machine equals one on a fast machine. In the
 * long form a time for a test that is one of `parts` in its file: 10 minutes a file, or
 * `ASSAY_FUZZ_S` seconds.
 */
export function fuzzExtent(inputs: number, parts = 1): Extent {
  return long ? { seconds: Number(process.env.ASSAY_FUZZ_S ?? 600) / parts } : { inputs };
}

/**
 * There is no retry, since the long form would replace the failed seed. The timeout only ends a
 * hang.
 */
export function fuzzOptions(extent: Extent): { readonly retry: 0; readonly timeout: number } {
  const seconds = 'seconds' in extent ? extent.seconds : 0;
  return { retry: 0, timeout: seconds * 1000 + 300_000 };
}

/**
 * Begins a run. @returns a function from the number of inputs to the completed share, 1 at the end
 */
export function startProgress(extent: Extent): (inputs: number) => number {
  if ('inputs' in extent) return (inputs) => inputs / extent.inputs;
  const begun = performance.now();
  return () => (performance.now() - begun) / (extent.seconds * 1000);
}
