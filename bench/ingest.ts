/**
 * bench:ingest (performance.md 4.2): the cost of receiving spans. Each row is a file of
 * bench/ingest; bench/rounds.ts and bench/row.ts define rounds, ratios and verdicts. `--smoke`
 * fails on wrong results only, `--json`, `--save`, `--only=I1,I4`.
 */
import { i1 } from './ingest/i1';
import { i1p } from './ingest/i1p';
import { i2 } from './ingest/i2';
import { i4 } from './ingest/i4';
import { i5 } from './ingest/i5';
import { i6 } from './ingest/i6';
import { runBench } from './run';

await runBench('ingest', [i1, i1p, i2, i4, i5, i6]);
