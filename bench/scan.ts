/**
 * bench:scan (performance.md 4.5): what it costs to scan an answer and to trace its figures, to
 * find patterns nearly in code, and to read the contract of a request. The rows are files of
 * bench/scan; how rounds, ratios and verdicts are made is in bench/rounds.ts and bench/row.ts.
 * `--smoke` fails on wrong results only, `--json`, `--save`.
 */
import { runRows } from './run';
import { s1 } from './scan/s1';
import { s2 } from './scan/s2';
import { s3 } from './scan/s3';

await runRows('scan', [s1, s2, s3], '; one process, no server');
