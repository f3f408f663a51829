/**
 * bench:checks (performance.md 4.5): the cost of a deterministic check compared with the bare
 * function that it wraps, and of cases with stored results compared with another product.
 * bench/rounds.ts and bench/row.ts define rounds, ratios and verdicts. `--smoke` fails on wrong
 * results only, `--json`, `--save`, `--only=S4`.
 */
import { s4 } from './checks/s4';
import { s5 } from './checks/s5';
import { runBench } from './run';

await runBench('checks', [s4, s5]);
