import { createRuntime, type Runtime } from './runtime';

const key = Symbol.for('assay.web.runtime');

/** The web process's runtime: one, whichever of Next's bundles asks. */
export function webRuntime(): Runtime {
  const held = globalThis as typeof globalThis & { [key]?: Runtime };
  held[key] ??= createRuntime('web');
  return held[key];
}
