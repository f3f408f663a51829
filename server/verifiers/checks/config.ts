import { z } from 'zod';
import { subjectMembers } from '../../domain';
import { CheckEntry, subjectQueries } from '../../evaluators/checks';
import { compileQuery, isProblem } from '../../evaluators';
import { unknownName } from '../../platform';
import { customMembers } from '../custom';

const ENTRIES_MAX = 100;

/**
 * A verifier of checks (online.md 3): `{name, targets, mapping, thresholds, checks: [...]}`. A
 * query of a check may read the members of every target and the variables of the mapping.
 */
export const ChecksConfig = z
  .strictObject({ ...customMembers, checks: z.array(CheckEntry).min(1).max(ENTRIES_MAX) })
  .superRefine(({ checks, targets, mapping }, ctx) => {
    const known = new Set([
      ...targets.flatMap((target) => subjectMembers[target]),
      ...Object.keys(mapping),
    ]);
    for (const [at, entry] of checks.entries())
      for (const { name, query } of subjectQueries(entry)) {
        const compiled = compileQuery(query);
        if (isProblem(compiled)) continue;
        const unknown = compiled.firstNames.find((first) => !known.has(first.name));
        if (unknown === undefined) continue;
        const message = `reads the member ${JSON.stringify(unknown.name)} of a ${targets.join(' or ')}, which ${unknownName(unknown.name, known)}`;
        ctx.addIssue({ code: 'custom', path: ['checks', at, name], message });
      }
  });
export type ChecksConfig = z.infer<typeof ChecksConfig>;
