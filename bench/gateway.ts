/**
 * bench:gateway (performance.md 4.1): the cost of a call through the gateway. Each row is a file of
 * bench/gateway; bench/rounds.ts and bench/row.ts define rounds, ratios and verdicts. `--smoke`
 * fails on wrong results only, `--json`, `--save`, `--only=G1,G4`.
 */
import { g1 } from './gateway/g1';
import { g2 } from './gateway/g2';
import { g3 } from './gateway/g3';
import { g4 } from './gateway/g4';
import { g5 } from './gateway/g5';
import { g6 } from './gateway/g6';
import { runBench } from './run';

await runBench('gateway', [g1, g2, g3, g4, g5, g6]);
