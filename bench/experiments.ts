/**
 * bench:experiments: an experiment compared with the pace of its provider. bench/rounds.ts and
 * bench/row.ts define rounds, ratios and verdicts. `--smoke` fails on wrong results only, `--json`,
 * `--save`, `--only=E1`.
 */
import { e1 } from './experiments/e1';
import { runBench } from './run';

await runBench('experiments', [e1]);
