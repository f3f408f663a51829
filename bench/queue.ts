/**
 * bench:queue (performance.md 4.3): how soon the work lane picks up what is due. Each row is a file of bench/queue; how rounds, ratios
 * and verdicts are made is in bench/rounds.ts and bench/row.ts. `--smoke` fails on wrong results only, `--json`, `--save`, `--only=Q2`.
 */
import { q2 } from './queue/q2';
import { q4 } from './queue/q4';
import { runBench } from './run';

await runBench('queue', [q2, q4]);
