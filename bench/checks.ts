/**
 * bench:checks (performance.md 4.5): what a deterministic check costs against the bare function
 * that it wraps, and cases with stored results against another product. How rounds, ratios and
 * verdicts are made is in bench/rounds.ts and bench/row.ts. `--smoke` fails on wrong results only,
 * `--json`, `--save`, `--only=S4`.
 */
import { s4 } from './checks/s4';
import { s5 } from './checks/s5';
import { runBench } from './run';

await runBench('checks', [s4, s5]);
