/**
 * bench:functions: the cost of 1,000 subjects through a function of a project, compared with the
 * bare function in one process. `--smoke` fails on wrong results only, `--json`, `--save`. It needs
 * a sandbox (bubblewrap).
 */
import { f1 } from './functions/f1';
import { runRows } from './run';

await runRows('functions', [f1], '; one process, no server');
