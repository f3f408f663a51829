import { subjectMembers } from '../../domain';
import type { FunctionArguments, FunctionSource } from '../../evaluators/functions';
import { type CustomSubject, valueOfVariable } from '../custom';
import type { FunctionConfig } from './definition';

export const functionSourceOf = ({
  language,
  source,
  timeout_ms,
}: FunctionConfig['function']): FunctionSource => ({
  language,
  source,
  timeoutMs: timeout_ms,
});

/** Mapped variables, the members of the subject, and `subject` for all of it. */
export const argumentsOf = (subject: CustomSubject): FunctionArguments => ({
  valueOf: (name) => valueOfVariable(subject, name),
  names: [...new Set([...Object.keys(subject.variables), ...Object.keys(subject.subject)])],
});

/** The parameters that a function of this definition may have without a default. */
export const knownParameters = ({
  targets,
  mapping,
}: Pick<FunctionConfig, 'targets' | 'mapping'>): readonly string[] => [
  ...new Set([
    ...targets.flatMap((target) => subjectMembers[target]),
    ...Object.keys(mapping),
    'subject',
  ]),
];
