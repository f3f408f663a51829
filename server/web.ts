import { createRuntime, type Runtime, tellNet } from './runtime';

const key = Symbol.for('assay.web.runtime');

/** The web process's runtime: one, whichever of Next's bundles asks. */
export function webRuntime(): Runtime {
  const held = globalThis as typeof globalThis & { [key]?: Runtime };
  if (held[key] === undefined) {
    held[key] = createRuntime('web');
    void tellNet(held[key].ctx);
  }
  return held[key];
}
