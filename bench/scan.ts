/**
 * bench:scan (performance.md 4.5): what it costs to scan an answer and to trace its figures. The rows are a file of bench/scan; how
 * rounds, ratios and verdicts are made is in bench/rounds.ts and bench/row.ts. `--smoke` fails on wrong results only, `--json`, `--save`.
 */
import { runRows } from './run';
import { s1 } from './scan/s1';

await runRows('scan', [s1], '; one process, no server');
