import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processorMsSince } from '../../../testing/processor-time';
import { z } from 'zod';
import { type ForeignReply, type JudgeReplyFormat, readJudgeReply } from './judge-reply';

const folder = process.env.ASSAY_DATA ?? join('..', 'shared', 'data');
const there = existsSync(join(folder, 'judge-reply-parsing-mtbench.jsonl'));
// oxlint-disable-next-line no-console -- a run that leaves the data out must not look like one that passed on it
if (!there) console.warn(`SKIPPED: the shared data is not at ${folder}`);

const load = <Row>(name: string, row: z.ZodType<Row>): Row[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => row.parse(JSON.parse(line)));

const Winner = z.enum(['model_1', 'model_2', 'tie', 'error']);
const Parsing = z.object({
  text: z.string(),
  order: z.string().optional(),
  recorded_score: z.number().optional(),
  recorded_winner: Winner.optional(),
});
const Pair = z.object({
  replies: z.array(
    z.object({
      judge: z.string(),
      strategy: z.string(),
      order: z.string(),
      text: z.string(),
      recorded_winner: z.union([z.literal(1), z.literal(2)]).nullable(),
    }),
  ),
});
const Binary = z.object({
  replies: z.array(
    z.object({
      judge: z.string(),
      text: z.string(),
      recorded_verdict: z.enum(['error', 'no_error']).nullable(),
    }),
  ),
});

const valueOf = (reply: ForeignReply): unknown => (reply.state === 'read' ? reply.value : null);
/**
 * The side that a record states for the reply itself, from the order in which the judge saw the
 * two.
 */
const sideOf = (winner: 1 | 2 | null, order: string): string | null =>
  winner === null ? null : (winner === 1) === (order === 'as-is') ? 'first' : 'second';

interface Tally {
  readonly recorded: number;
  readonly equal: number;
  /** Values that were read although the record has none. */
  readonly invented: number;
}

function tally(rows: readonly { readonly read: unknown; readonly recorded: unknown }[]): Tally {
  const known = rows.filter(({ recorded }) => recorded !== null);
  return {
    recorded: known.length,
    equal: known.filter(({ read, recorded }) => read === recorded).length,
    invented: rows.filter(({ read, recorded }) => recorded === null && read !== null).length,
  };
}

describe.skipIf(!there)('recorded replies', () => {
  it('VS-20 all 154 replies of MT-Bench are read as recorded', () => {
    const rows = load('judge-reply-parsing-mtbench.jsonl', Parsing).map(
      ({ text, order, recorded_score, recorded_winner }) => {
        if (recorded_score !== undefined)
          return { read: valueOf(readJudgeReply('rating', text)), recorded: recorded_score };
        const side = valueOf(readJudgeReply('pair_letters', text));
        const read =
          side === null
            ? 'error'
            : side === 'tie'
              ? 'tie'
              : (side === 'first') === (order === 'as-is')
                ? 'model_1'
                : 'model_2';
        return { read, recorded: recorded_winner };
      },
    );
    expect(rows.filter(({ read, recorded }) => read !== recorded)).toEqual([]);
    expect(rows).toHaveLength(154);
  });

  const pairs = () =>
    ['judge-pairwise-llmbar.jsonl', 'judge-pairwise-mtbench-human.jsonl'].flatMap((name) =>
      load(name, Pair).flatMap(({ replies }) =>
        replies.map((reply) => ({
          ...reply,
          read: valueOf(readJudgeReply('pair_stated', reply.text)),
          recorded: sideOf(reply.recorded_winner, reply.order),
        })),
      ),
    );
  const binary = () =>
    load('judge-binary-realmistake.jsonl', Binary).flatMap(({ replies }) =>
      replies.map((reply) => ({
        ...reply,
        read: valueOf(readJudgeReply('error_stated', reply.text)),
        recorded: reply.recorded_verdict,
      })),
    );

  it('VS-20 at least 99 % of the LLMBar, MT-Bench and ReaLMistake replies are read as recorded, and none is invented', () => {
    const all = tally([...pairs(), ...binary().filter(({ judge }) => judge !== 'gemma-7b-it')]);
    expect(all.equal / all.recorded).toBeGreaterThanOrEqual(0.99);
    expect(all.invented).toBe(0);
  });

  it('VS-20 among the pairs only replies of one judge differ, and there the record contradicts the reply', () => {
    const differing = pairs().filter(
      ({ read, recorded }) => recorded !== null && read !== recorded,
    );
    expect(new Set(differing.map(({ judge, strategy }) => `${judge} ${strategy}`))).toEqual(
      new Set(['PaLM2 CoT']),
    );
    // "Output (b) is better.\n\nOutput (a) is not relevant." is recorded as a win of (a).
    const plain = differing.filter(({ text, read }) =>
      text.toLowerCase().includes(`output (${read === 'first' ? 'a' : 'b'}) is better`),
    );
    expect(plain.length / differing.length).toBeGreaterThan(0.9);
    expect(differing.length).toBeLessThan(80);
  });

  it('VS-20 gemma-7b-it: a reply that states no verdict is failed', () => {
    const gemma = binary().filter(({ judge }) => judge === 'gemma-7b-it');
    const { recorded, equal, invented } = tally(gemma);
    expect(invented).toBe(0);
    expect(gemma.length - recorded).toBe(114);
    expect(equal / recorded).toBeGreaterThan(0.99);
  });
});

describe('replies of other judges', () => {
  it.each<[JudgeReplyFormat, string, unknown]>([
    ['rating', 'Good. Rating: [[7]]', 7],
    ['rating', 'Rating: [[7.5]]', 7.5],
    ['rating', 'Rating: [[7]] … [[8]]', null],
    ['rating', 'Rating: [[11]]', null],
    ['rating', 'Rating: [[0]]', null],
    ['rating', 'Rating: 7', null],
    ['rating', 'Rating: [[７]]', null],
    ['pair_letters', 'So [[B]]', 'second'],
    ['pair_letters', '[[C]]', 'tie'],
    ['pair_letters', '[[A]] or [[B]]', null],
    ['pair_stated', 'Output (b)', 'second'],
    ['pair_stated', 'Output (a) is good. Therefore, Output (b) is better.', 'second'],
    ['pair_stated', 'Both are equally good.', null],
    ['pair_stated', 'Output (a) is not better.', null],
    ['pair_stated', ' ', null],
    ['error_stated', 'It contains no error in part 1. Therefore it contains an error.', 'error'],
    ['error_stated', 'I am not sure.', null],
  ])('S-24 %s: %j is %s', (format, text, value) => {
    expect(valueOf(readJudgeReply(format, text))).toBe(value);
  });

  it.each<[JudgeReplyFormat, string]>([
    ['rating', '[['],
    ['pair_letters', '[[A'],
    ['pair_stated', 'output (a) is '],
    ['pair_stated', 'better '],
    ['pair_stated', 'output (a) is a b c d e f '],
    ['error_stated', 'contains '],
  ])('R-53 %s over 250,000 characters of %j is quick', (format, unit) => {
    const began = process.cpuUsage();
    readJudgeReply(format, unit.repeat(Math.floor(250_000 / unit.length)));
    expect(processorMsSince(began)).toBeLessThan(2_000);
    expect(readJudgeReply(format, unit.repeat(300_000)).state).toBe('failed');
  });
});
