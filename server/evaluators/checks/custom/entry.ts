import { z } from 'zod';
import { unknownName } from '../../../platform';
import type { MemberProblem } from './definition';
import { customChecks } from './registry';

/** One check of a definition: its name, the members of every check, and its own members. */
export interface CheckEntry {
  readonly check: string;
  readonly weight: number;
  readonly must_pass: boolean;
  readonly [member: string]: unknown;
}

const Common = z.looseObject({
  check: z.string(),
  weight: z.number(),
  must_pass: z.boolean(),
});

/**
 * Parses an entry by the schema of its check. An unknown check and an unknown member are refused
 * with the nearest known name. Parsing a parsed entry again changes nothing.
 */
export const CheckEntry = z
  .looseObject({ check: z.string() })
  .transform((given, ctx): CheckEntry => {
    const report = ({ path, message }: MemberProblem): void => {
      ctx.addIssue({ code: 'custom', path: [...path], message });
    };
    const check = customChecks.get(given.check);
    if (check === undefined) {
      report({ path: ['check'], message: unknownName(given.check, new Set(customChecks.keys())) });
      return z.NEVER;
    }
    const read = check.members.safeParse(given);
    if (!read.success) {
      for (const issue of read.error.issues) {
        if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
          for (const key of issue.keys)
            report({
              path: [key],
              message: unknownName(key, new Set(Object.keys(check.members.shape))),
            });
        // The issue keeps its message and the issues of union members.
        else ctx.issues.push({ ...issue, input: given } as z.core.$ZodRawIssue);
      }
      return z.NEVER;
    }
    const problems = check.problems(read.data);
    for (const problem of problems) report(problem);
    return problems.length > 0 ? z.NEVER : Common.parse(read.data);
  });
