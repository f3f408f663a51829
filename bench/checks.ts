/**
 * bench:checks (performance.md 4.5): what a deterministic check costs against the bare function that it wraps. How rounds, ratios and
 * verdicts are made is in bench/rounds.ts and bench/row.ts. `--smoke` fails on wrong results only, `--json`, `--save`.
 */
import { s4 } from './checks/s4';
import { runRows } from './run';

await runRows('checks', [s4], '; one process, no server');
