import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createRuntime, type Runtime, logRowSecurity } from './runtime';

const key = Symbol.for('assay.web.runtime');

/** The web process's runtime, shared by all of Next's bundles. */
export function webRuntime(): Runtime {
  const global = globalThis as typeof globalThis & { [key]?: Runtime };
  if (global[key] === undefined) {
    // Next bundles this file. The files built for the plain processes are below the folder in which
    // the server was started.
    const threadFile = join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'thread.js');
    global[key] = createRuntime('web', existsSync(threadFile) ? threadFile : null);
    void logRowSecurity(global[key].ctx);
  }
  return global[key];
}
