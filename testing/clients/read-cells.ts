import { z } from 'zod';
import type { Cell, CatalogClient, CellName } from './catalog';

/** Assay's data about a client's conversation, read over the API. */

export const conversation = {
  answer: 'web-1 is 91.4% full, and 21 GiB are free.',
  session: 's-clients',
  sourced: '91.4%',
  path: 'rows[0].disk_pct',
  unsourced: '21',
};
/** Tokens of the two model calls, as the scripted model reports them. */
export const usage = [
  { input: 20, output: 8 },
  { input: 40, output: 12 },
] as const;

const Turn = z.looseObject({
  id: z.string(),
  superseded: z.boolean(),
  session_id: z.string().nullable(),
  model: z.string().nullable(),
  output: z.unknown(),
  tools: z.array(z.looseObject({ name: z.string(), result: z.unknown() })).default([]),
  tokens: z.looseObject({ input: z.number(), output: z.number() }).partial().nullish(),
  cost_usd: z.number().nullish(),
});
const Verification = z.looseObject({
  kind: z.string(),
  turn_id: z.string().nullable(),
  outcome: z.string().nullable(),
  verdict: z.string().nullable(),
  integrity: z
    .looseObject({
      figures: z.array(
        z.looseObject({
          text: z.string(),
          sourced: z.boolean(),
          source: z.looseObject({ path: z.string().nullable() }).nullable(),
        }),
      ),
    })
    .nullish(),
});
const TraceRow = z.looseObject({ id: z.string(), cost_usd: z.number().nullable() });
const Trace = z.looseObject({
  notes: z.array(z.object({ span_id: z.string(), reason: z.string() })),
  scores_of_others: z.array(z.looseObject({ name: z.string() })),
});

type StoredTurn = z.infer<typeof Turn>;
type StoredVerification = z.infer<typeof Verification>;

/** All stored data of the project of a key. */
export interface Stored {
  readonly turns: readonly StoredTurn[];
  readonly verifications: readonly StoredVerification[];
  /** US dollars of each trace; 0 if unknown. */
  readonly costs: readonly number[];
  readonly notes: readonly string[];
  readonly scores: readonly string[];
}

/**
 * @throws Error with the reply of a request that fails, or whose shape is not the documented one
 */
export async function readStored(url: string, key: string): Promise<Stored> {
  const get = async <T>(path: string, shape: z.ZodType<T>): Promise<T> => {
    const reply = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
    return shape.parse(JSON.parse(text));
  };
  const listOf = <T>(shape: z.ZodType<T>) => z.looseObject({ data: z.array(shape) });
  const turns = await get('/v1/turns?limit=200', listOf(Turn));
  const verifications = await get(
    '/v1/verifications?kind=integrity&limit=200',
    listOf(Verification),
  );
  const list = await get('/v1/traces?limit=200', listOf(TraceRow));
  const traces = await Promise.all(list.data.map(({ id }) => get(`/v1/traces/${id}`, Trace)));
  return {
    turns: turns.data.filter(({ superseded }) => !superseded),
    verifications: verifications.data,
    costs: list.data.map(({ cost_usd }) => cost_usd ?? 0),
    notes: traces.flatMap(({ notes }) => notes.map(({ reason }) => reason)),
    scores: traces.flatMap((trace) => trace.scores_of_others.map(({ name }) => name)),
  };
}

/** The turns whose answer is that of the conversation. */
export const answersIn = ({ turns }: Stored): readonly StoredTurn[] =>
  turns.filter(({ output }) => output === conversation.answer);

/** The cells of a client: each is compared with the one answer and its one verdict. */
export function readCells(client: CatalogClient, stored: Stored): Readonly<Record<CellName, Cell>> {
  const answers = answersIn(stored);
  const [turn] = answers;
  const verdict = stored.verifications.find(({ turn_id }) => turn_id === turn?.id);
  const cell = (name: CellName, isRight: boolean): Cell => {
    // A column that is sent after all is an error of the catalog.
    if (client.notSent?.[name] !== undefined) return isRight ? 'NO' : 'not sent';
    return isRight ? 'yes' : 'NO';
  };
  return {
    // A call that only requests a tool has no answer.
    turn: cell(
      'turn',
      answers.length === 1 && stored.turns.every((each) => each === turn || isEmpty(each)),
    ),
    'tool result': cell('tool result', hasToolResult(turn)),
    sources: cell('sources', hasSources(verdict)),
    tokens: cell('tokens', hasTokens(turn)),
    cost: cell('cost', turn !== undefined && (turn.cost_usd ?? Math.max(0, ...stored.costs)) > 0),
    // Some clients name the provider: `openai/gpt-4o-mini`.
    model: cell('model', turn?.model?.split('/').at(-1) === (client.model ?? 'gpt-4o-mini')),
    session: cell('session', turn?.session_id === conversation.session),
    verdict: cell('verdict', verdict?.outcome === 'failed' && verdict.verdict === 'unsourced'),
  };
}

const isEmpty = ({ output }: StoredTurn): boolean => output === '' || output == null;

function hasToolResult(turn: StoredTurn | undefined): boolean {
  const [disk, ...others] = turn?.tools ?? [];
  return (
    others.length === 0 && disk?.name === 'disk' && JSON.stringify(disk.result).includes('91.4')
  );
}

/** A client reports both calls of the answer, or only the last one. */
function hasTokens(turn: StoredTurn | undefined): boolean {
  const { input, output } = turn?.tokens ?? {};
  return [usage[1], sumOf(usage)].some((known) => known.input === input && known.output === output);
}

const sumOf = ([first, second]: typeof usage) => ({
  input: first.input + second.input,
  output: first.output + second.output,
});

function hasSources(verdict: StoredVerification | undefined): boolean {
  const figures = verdict?.integrity?.figures ?? [];
  const found = figures.find(({ text }) => text === conversation.sourced);
  const made = figures.find(({ text }) => text === conversation.unsourced);
  return (
    figures.length === 2 &&
    found?.sourced === true &&
    found.source?.path === conversation.path &&
    made?.sourced === false
  );
}

/** For the message of a failed test. */
export const describeStored = ({ turns, verifications, notes }: Stored): string =>
  JSON.stringify(
    {
      turns: turns.map(({ metadata: _, verdicts: __, ...turn }) => turn),
      figures: verifications.map(({ verdict, integrity }) => ({
        verdict,
        figures: integrity?.figures.map(({ text, sourced, source }) => ({ text, sourced, source })),
      })),
      notes,
    },
    null,
    1,
  );
