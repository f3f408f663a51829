import {
  subjectInput,
  type SubjectInput,
  type SubjectMessage,
  type SubjectOf,
  type SubjectVerdict,
} from '../../domain';
import { sumUsage } from './sum-usage';

/** Turns of one session or mission, oldest first. */
export interface TurnsParts {
  readonly id: string;
  readonly turns: readonly SubjectOf<'turn'>[];
  /** The goal of a mission, if the client sends it. */
  readonly description?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly verdicts?: Readonly<Record<string, SubjectVerdict>>;
}

/** Builds the subject of a session: its conversation up to the last answer, which is the output. */
export function fromSession(parts: TurnsParts): SubjectOf<'session'> {
  return {
    target: 'session',
    ...commonOf(parts),
    input: conversationOf(parts.turns),
    session_id: parts.id,
    mission_id: onlyOne(parts.turns.map(({ mission_id }) => mission_id)),
  };
}

/** Builds the subject of a mission: its goal, and the turns under its id with their verdicts. */
export function fromMission(parts: TurnsParts): SubjectOf<'mission'> {
  return {
    target: 'mission',
    ...commonOf(parts),
    input: subjectInput(parts.description ?? parts.turns[0]?.input ?? null),
    session_id: onlyOne(parts.turns.map(({ session_id }) => session_id)),
    mission_id: parts.id,
  };
}

function commonOf(parts: TurnsParts) {
  const { turns } = parts;
  return {
    id: parts.id,
    output: turns.at(-1)?.output ?? null,
    // Each turn already has its tool calls: repeating them here would duplicate them.
    tools: [],
    context: [],
    files: [],
    reference: null,
    model: onlyOne(turns.map(({ model }) => model)),
    source: onlyOne(turns.map(({ source }) => source)),
    trace_id: onlyOne(turns.map(({ trace_id }) => trace_id)),
    tags: [...new Set(turns.flatMap(({ tags }) => tags))],
    metadata: { ...parts.metadata },
    ...sumUsage(turns),
    latency_ms: null,
    steps: [],
    verdicts: { ...parts.verdicts },
    turns: [...turns],
  };
}

function onlyOne(values: readonly (string | null)[]): string | null {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? (first ?? null) : null;
}

/**
 * The conversation before the last answer. Most clients send the whole conversation with each turn;
 * if they send only new messages, it is assembled from all turns.
 */
export function conversationOf(turns: readonly SubjectOf<'turn'>[]): SubjectInput {
  const last = turns.at(-1);
  if (last === undefined) return subjectInput(null);
  const answers = last.input.messages.filter(({ role }) => role === 'assistant').length;
  if (answers >= turns.length - 1) return last.input;
  const messages = turns.flatMap((turn, at): SubjectMessage[] => {
    const sent = turn.input.messages;
    const fresh = sent.slice(sent.findLastIndex(({ role }) => role === 'assistant') + 1);
    const isFirst = at === 0;
    return [
      ...(isFirst ? sent : fresh.filter(({ role }) => role !== 'system' && role !== 'developer')),
      ...(at === turns.length - 1 ? [] : [{ role: 'assistant', content: turn.output }]),
    ];
  });
  return subjectInput(messages);
}
