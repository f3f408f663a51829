import { isBlank, jsonAsText, type SubjectStep } from '../../domain';
import {
  requestText,
  type Material,
  noSubject,
  outputText,
  type Read,
  readBy,
  type Readings,
} from '../subjects/reading';
import { TaskSubject } from './subject';

const STEP_CHARS = 4_000;
const TRAJECTORY_CHARS = 1_000_000;

/** The question with its system message, and the answer; for a trace, its trajectory as context. */
export const taskReadings: Readings<TaskSubject> = {
  turn: (material) => readTask(material, null),
  trace: (material) => readTask(material, trajectoryOf(material.subject.steps)),
};

function readTask({ subject, settings }: Material, context: string | null): Read<TaskSubject> {
  const output = outputText(subject);
  if (isBlank(output)) return noSubject('no_output', `the ${subject.target} has no output`);
  return readBy(TaskSubject, {
    task_description: requestText(subject),
    task_output: output,
    success_criteria: settings.criteria ?? [],
    shared_context: context,
  });
}

function trajectoryOf(steps: readonly SubjectStep[]): string {
  return steps
    .map(({ kind, name, input, output, error }) =>
      [
        `[${kind}] ${name}`,
        line('input', input),
        line('output', output),
        line('error', error),
      ].join(''),
    )
    .join('\n\n')
    .slice(0, TRAJECTORY_CHARS);
}

function line(name: string, value: unknown): string {
  const text = jsonAsText(value);
  if (text === '') return '';
  const isCut = text.length > STEP_CHARS;
  return `\n${name}: ${isCut ? `${text.slice(0, STEP_CHARS).toWellFormed()}…` : text}`;
}
