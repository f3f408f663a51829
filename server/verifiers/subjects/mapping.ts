import {
  type EvaluationSubject,
  type Mapping,
  subjectMembers,
  type SubjectTarget,
} from '../../domain';
import { nearestName } from '../../platform';
import { compileQuery, isProblem, type Query, QueryOverLimit } from '../../evaluators';

/** An error in one entry of a mapping, described for its author. */
export interface MappingProblem {
  readonly variable: string;
  /** Position in the query, in UTF-16 units. */
  readonly position: number;
  readonly message: string;
  readonly fix: string;
}

export interface CompiledMapping {
  readonly variables: readonly string[];
  readonly entries: ReadonlyMap<string, Query | { readonly value: unknown }>;
}

/**
 * Values by variable; or the first variable that has no value in the subject or whose query failed.
 */
export type MappedValues =
  | { readonly values: ReadonlyMap<string, unknown> }
  | { readonly missing: string }
  | { readonly failed: string; readonly reason: string };

/** Checks and compiles each query of a mapping, including the one for its first member. */
export function compileMapping(
  mapping: Mapping,
  targets: readonly SubjectTarget[],
): { readonly mapping: CompiledMapping } | { readonly problems: readonly MappingProblem[] } {
  const entries = new Map<string, Query | { readonly value: unknown }>();
  const problems: MappingProblem[] = [];
  for (const [variable, entry] of Object.entries(mapping)) {
    if (typeof entry !== 'string') {
      entries.set(variable, entry);
      continue;
    }
    const query = compileQuery(entry);
    const problem = isProblem(query) ? query : unknownMember(query, targets);
    if (problem !== null)
      problems.push({
        variable,
        position: problem.position,
        message: `mapping.${variable}, position ${problem.position}: ${problem.problem}`,
        fix: problem.fix,
      });
    else if (!isProblem(query)) entries.set(variable, query);
  }
  if (problems.length > 0) return { problems };
  return { mapping: { variables: [...entries.keys()], entries } };
}

/**
 * Reads a subject by a mapping. One node returns its value, several return a list. A variable is
 * missing if its query finds nothing, or only null.
 */
export function applyMapping(
  { entries }: CompiledMapping,
  subject: EvaluationSubject,
): MappedValues {
  const values = new Map<string, unknown>();
  for (const [variable, entry] of entries) {
    if (!('select' in entry)) {
      values.set(variable, entry.value ?? null);
      continue;
    }
    let found: unknown[];
    try {
      found = entry.select(subject);
    } catch (error) {
      if (!(error instanceof QueryOverLimit)) throw error;
      return { failed: variable, reason: error.message };
    }
    if (found.every((value) => value === null)) return { missing: variable };
    values.set(variable, found.length === 1 ? found[0] : found);
  }
  return { values };
}

function unknownMember(
  { firstNames }: Query,
  targets: readonly SubjectTarget[],
): { readonly position: number; readonly problem: string; readonly fix: string } | null {
  const known = new Set(targets.flatMap((target) => subjectMembers[target]));
  const unknown = firstNames.find(({ name }) => !known.has(name));
  if (unknown === undefined) return null;
  const nearest = nearestName(unknown.name, known);
  return {
    position: unknown.position,
    problem: `a ${targets.join(' or ')} has no member ${JSON.stringify(unknown.name)}`,
    fix:
      nearest === null
        ? `its members are ${[...known].join(', ')}`
        : `did you mean ${JSON.stringify(nearest)}?`,
  };
}
