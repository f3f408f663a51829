/**
 * bench:queue (performance.md 4.3): throughput of the lanes, and the delay until they claim ready
 * work. Each row is a file of bench/queue; bench/rounds.ts and bench/row.ts define rounds, ratios
 * and verdicts. `--smoke` fails on wrong results only, `--json`, `--save`, `--only=Q2`.
 */
import { q1 } from './queue/q1';
import { q2 } from './queue/q2';
import { q3 } from './queue/q3';
import { q4 } from './queue/q4';
import { q5 } from './queue/q5';
import { runBench } from './run';

await runBench('queue', [q1, q2, q3, q4, q5]);
