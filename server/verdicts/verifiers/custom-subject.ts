import type { EvaluationSubject } from '../../domain';
import { refused } from '../../platform';
import { compileMapping, type CustomDefinition, readCustomSubject } from '../../verifiers';
import { WorkFacts } from '../input';
import type { SubjectContent } from '../subjects/subject-content';

/**
 * A subject that a caller sent, as a verifier of the project reads it.
 * @throws AssayError refused: a target that the verifier does not read, or a variable of its
 * mapping without a value
 */
export function customContent(
  subject: EvaluationSubject,
  { targets, mapping }: CustomDefinition,
): SubjectContent {
  if (!targets.includes(subject.target))
    throw refusedAt('target', `must be one of: ${targets.join(', ')}, not ${subject.target}`);
  const compiled = compileMapping(mapping, [subject.target]);
  if ('problems' in compiled)
    throw refusedAt('mapping', compiled.problems[0]?.message ?? 'cannot be used');
  const read = readCustomSubject(subject, compiled.mapping);
  if ('reason' in read) throw refusedAt('subject', read.message);
  const facts = WorkFacts.parse({
    executor_model: subject.model,
    cost_usd: subject.cost_usd,
    metadata: subject.metadata,
  });
  return { subject: read.subject, facts };
}

function refusedAt(member: string, message: string): Error {
  const path = member === 'subject' ? 'subject' : `subject.${member}`;
  return refused(`${path}: ${message}`, [{ path, message }]);
}
