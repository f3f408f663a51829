import { isBlank, jsonAsText, type Source, type TurnContent } from '../../domain';
import {
  type Material,
  noSubject,
  outputText,
  type Read,
  type Readings,
} from '../subjects/reading';
import { integritySubject } from './from-turn';
import type { IntegritySubject } from './subject';

/** An answer and its sources; for a trace, the sources of all its turns. */
export const integrityReadings: Readings<IntegritySubject> = { turn: read, trace: read };

function read(material: Material): Read<IntegritySubject> {
  const { subject, turns } = material;
  const built = turns.length === 0 ? fromSubject(material) : fromTurns(turns);
  if (built.sources.length === 0)
    return noSubject('no_sources', `the ${subject.target} has no tool result and no context`);
  if (isBlank(built.output) && (built.envelope ?? null) === null)
    return noSubject('no_output', `the ${subject.target} has no output`);
  return { subject: built };
}

/** The last answer, with the sources of all turns. */
function fromTurns(turns: readonly TurnContent[]): IntegritySubject {
  const subjects = turns.map(integritySubject);
  const [last] = subjects.slice(-1);
  if (last === undefined || subjects.length === 1) return last ?? nothing;
  return {
    ...last,
    sources: distinct(subjects.flatMap(({ sources }) => sources)),
    userText: [...new Set(subjects.flatMap(({ userText }) => userText))],
  };
}

const nothing: IntegritySubject = {
  output: '',
  envelope: null,
  sources: [],
  userText: [],
  repromptUsed: false,
};

/** Drops sources that later turns repeat, and numbers equal ids of different sources. */
function distinct(sources: readonly Source[]): Source[] {
  const byContent = new Map(sources.map((source) => [`${source.id}\n${source.text}`, source]));
  const used = new Set<string>();
  return [...byContent.values()].map((source) => {
    let { id } = source;
    for (let number = 2; used.has(id); number++) id = `${source.id}#${number}`;
    used.add(id);
    return { ...source, id };
  });
}

/** A submitted subject has values where a stored turn has texts. */
function fromSubject({ subject }: Material): IntegritySubject {
  const asSource = (id: string, label: string, value: unknown): Source => ({
    id,
    label,
    format: typeof value === 'string' ? 'text' : 'json',
    text: jsonAsText(value),
  });
  const tools = subject.tools.map(({ id, name, result }) => asSource(id, name, result));
  const context = subject.context.map(({ id, content }) => asSource(id, 'context', content));
  return {
    ...nothing,
    output: outputText(subject),
    sources: [...tools, ...context],
    userText: subject.input.last_user === null ? [] : [subject.input.last_user],
  };
}
