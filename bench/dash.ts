/**
 * bench:dash (performance.md 4.4): the cost of reading dashboards compared with their underlying
 * data, and the cost of keeping them correct. Each row is a file of bench/dash; bench/rounds.ts and
 * bench/row.ts define rounds, ratios and verdicts. `--rows=200000` generates fewer verdicts than
 * the 5,000,000 of the goals, and is never saved; `--smoke` fails on wrong results only, `--json`,
 * `--save`, `--only=D2`.
 */
import { d1 } from './dash/d1';
import { d2 } from './dash/d2';
import { d3 } from './dash/d3';
import { d4 } from './dash/d4';
import { d5 } from './dash/d5';
import { runBench } from './run';

await runBench('dash', [d2, d1, d3, d4, d5]);
