import { z } from 'zod';
import type { Attempt, ReadAttempt } from './read-attempts';
import { shorten } from './shorten';

export interface AgentOutputAttempt extends Attempt {
  readonly agent: string | null;
  readonly summary: string;
  /** JSON text, truncated; null if the output has no data. */
  readonly data: string | null;
  readonly confidence: number | null;
  readonly toolsUsed: readonly string[];
  readonly formatErrors: readonly string[];
  /** `use`, `retry_other_agent`, …; null before a decision. */
  readonly next: string | null;
  readonly nextAgent: string | null;
  /** The warning that accompanies an output that is used although it failed. */
  readonly warning: string | null;
}

/** A subgoal with all attempts of agents at it. */
export interface SubgoalOutputs {
  readonly subgoal: {
    readonly id: string;
    readonly description: string;
    readonly critical: boolean;
  };
  readonly attempts: readonly AgentOutputAttempt[];
}

const text = z.string().catch('');
const texts = z.array(z.string()).catch([]);
const word = z.string().nullable().catch(null);

/**
 * Each member is parsed leniently: any part of an output may be faulty, and the verdict reports
 * that.
 */
const Subject = z.object({
  subgoal: z
    .object({ id: text, description: text, critical: z.boolean().catch(false) })
    .catch({ id: '', description: '', critical: false }),
  output: z
    .object({
      agent: word,
      summary: text,
      data: z.unknown(),
      confidence: z.number().nullable().catch(null),
      tools_used: texts,
    })
    .catch({ agent: null, summary: '', data: undefined, confidence: null, tools_used: [] }),
});
const Detail = z.object({
  agent: word,
  confidence: z.number().nullable().catch(null),
  format_errors: texts,
  next: word,
  next_agent: word,
  warning: word,
});

const listMax = 50;

/** Subgoals in the order of their first outputs, each with its attempts in order. */
export function showOutputs(read: readonly ReadAttempt[]): SubgoalOutputs[] {
  const bySubgoal = new Map<string, ReadAttempt[]>();
  for (const each of read) {
    const id = each.subgoal ?? '';
    bySubgoal.set(id, [...(bySubgoal.get(id) ?? []), each]);
  }
  return [...bySubgoal].map(([id, attempts]) => {
    const subgoals = attempts.flatMap(
      ({ subject }) => Subject.safeParse(subject).data?.subgoal ?? [],
    );
    return {
      subgoal: {
        id: shorten(id, 200),
        description: shorten(subgoals.at(-1)?.description ?? '', 600),
        critical: subgoals.some(({ critical }) => critical),
      },
      attempts: attempts.map(showOutput),
    };
  });
}

function showOutput({ attempt, subject, detail }: ReadAttempt): AgentOutputAttempt {
  const output = Subject.safeParse(subject).data?.output;
  const parsed = Detail.safeParse(detail ?? {}).data;
  const data = output?.data === undefined ? undefined : JSON.stringify(output.data);
  return {
    ...attempt,
    agent: parsed?.agent ?? output?.agent ?? null,
    summary: shorten(output?.summary ?? '', 4000),
    data: data === undefined ? null : shorten(data, 4000),
    confidence: parsed?.confidence ?? output?.confidence ?? null,
    toolsUsed: (output?.tools_used ?? []).slice(0, listMax).map((each) => shorten(each, 200)),
    formatErrors: (parsed?.format_errors ?? []).slice(0, listMax).map((each) => shorten(each, 600)),
    next: parsed?.next ?? null,
    nextAgent: parsed?.next_agent ?? null,
    warning: parsed?.warning ?? null,
  };
}
