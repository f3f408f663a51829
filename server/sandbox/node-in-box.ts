// The Node that runs Assay, inside a box: if it is below /usr it is already there; otherwise only
// the program file is bound, and nothing next to it.
import { realpathSync } from 'node:fs';

export interface NodeInBox {
  /** Absolute path inside the box. */
  readonly program: string;
  readonly binds: readonly { readonly from: string; readonly to: string }[];
}

export function nodeInBox(execPath: string = process.execPath): NodeInBox {
  const real = realpathSync(execPath);
  if (real.startsWith('/usr/')) return { program: real, binds: [] };
  return { program: '/opt/node/bin/node', binds: [{ from: real, to: '/opt/node/bin/node' }] };
}
