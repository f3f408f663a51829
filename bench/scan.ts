/**
 * bench:scan (performance.md 4.5): the cost of scanning an answer and tracing its figures, of
 * approximate pattern search in code, and of extracting the contract of a request. The rows are
 * files of bench/scan; bench/rounds.ts and bench/row.ts define rounds, ratios and verdicts.
 * `--smoke` fails on wrong results only, `--json`, `--save`.
 */
import { runRows } from './run';
import { s1 } from './scan/s1';
import { s2 } from './scan/s2';
import { s3 } from './scan/s3';

await runRows('scan', [s1, s2, s3], '; one process, no server');
