import { z } from 'zod';
import { EvaluationSubject, jsonAsText } from '../../domain';
import { lineOf } from '../asking';
import { type ContentView, noContent, plainOutput } from '../content-view';
import { requestText, type Material, type Read, type Readings } from '../subjects/reading';
import { applyMapping, type CompiledMapping } from '../subjects/mapping';

/** A subject of a custom verifier: the whole subject, and the values of its mapping. */
export const CustomSubject = z.object({
  subject: EvaluationSubject,
  variables: z.record(z.string(), z.unknown()).default({}),
});
export type CustomSubject = z.infer<typeof CustomSubject>;

/** Adds the values of the mapping; the reason if one is missing (online.md 2). */
export function readCustomSubject(
  subject: EvaluationSubject,
  mapping: CompiledMapping,
): Read<CustomSubject> {
  const found = applyMapping(mapping, subject);
  if ('missing' in found)
    return {
      reason: 'no_value',
      message: `the subject has no value for the variable "${found.missing}"`,
    };
  if ('failed' in found)
    return {
      reason: 'mapping',
      message: `the mapping of "${found.failed}" failed: ${found.reason}`,
    };
  return { subject: { subject, variables: Object.fromEntries(found.values) } };
}

const read = ({ subject, settings }: Material): Read<CustomSubject> =>
  settings.mapping === undefined
    ? { subject: { subject, variables: {} } }
    : readCustomSubject(subject, settings.mapping);

/** The subject itself, for every target. */
export const customReadings: Readings<CustomSubject> = {
  turn: read,
  trace: read,
  session: read,
  mission: read,
};

export const excerptOfCustom = ({ subject }: CustomSubject): string =>
  lineOf(jsonAsText(subject.output) || (subject.input.last_user ?? ''));

/**
 * The text of a variable for people and prompts: a mapped value, otherwise the member of the
 * subject with this name. Undefined if there is neither.
 */
export function valueOfVariable({ subject, variables }: CustomSubject, name: string): unknown {
  if (Object.hasOwn(variables, name)) return variables[name];
  if (name === 'subject') return subject;
  return Object.hasOwn(subject, name) ? subject[name as keyof EvaluationSubject] : undefined;
}

/** Renders the subject for the page of a verdict. */
export function showCustomContent(stored: unknown): ContentView | null {
  const parsed = CustomSubject.safeParse(stored);
  if (!parsed.success) return null;
  const { subject, variables } = parsed.data;
  const context = [
    ...subject.context.map(({ id, content }) => `${id}: ${jsonAsText(content)}`),
    ...Object.entries(variables).map(([name, value]) => `${name}: ${jsonAsText(value)}`),
  ];
  return {
    ...noContent,
    title: 'Input',
    description: requestText(subject),
    context: context.join('\n\n'),
    outputs: [{ ...plainOutput, name: 'output', text: jsonAsText(subject.output) }],
  };
}
