import type { Score } from '../../../domain';
import { measuredBy } from '../../evaluator';
import type { CheckInput, CheckResult } from './definition';
import type { CheckEntry } from './entry';
import { customChecks } from './registry';

/** A check of a definition, ready for any number of subjects. */
export interface PreparedEntry {
  readonly title: string;
  /** The evaluator's name in its score. */
  readonly evaluator: string;
  /** @throws Error with a readable reason if the check breaks, OverTime if it takes too long */
  readonly run: (input: CheckInput) => Promise<Score>;
}

/** @throws Error for an entry that `CheckEntry` did not parse */
export function prepareEntry(entry: CheckEntry): PreparedEntry {
  const check = customChecks.get(entry.check);
  if (check === undefined) throw new Error(`there is no check ${JSON.stringify(entry.check)}`);
  const { title, field, run } = check.prepare(entry);
  const evaluator = `checks.${check.name}@1`;
  const base = {
    ...measuredBy(evaluator, title),
    weight: entry.weight,
    must_pass: entry.must_pass,
  };
  return {
    title,
    evaluator,
    run: async (input) => scoreOf(base, field, await run(input)),
  };
}

function scoreOf(
  base: ReturnType<typeof measuredBy>,
  field: string | null,
  result: CheckResult,
): Score {
  if ('unscored' in result)
    return { ...base, state: 'unscored', value: null, met: null, reasoning: result.unscored };
  const { value, met, reasoning, evidence } = result;
  return {
    ...base,
    state: 'scored',
    value,
    met,
    reasoning,
    // Positions are in the text of the field; only those in the output have a short name.
    evidence:
      field === null || field === '$.output'
        ? [...evidence]
        : evidence.map((each) => ({
            ...each,
            ref: each.ref.replace(/^output:/, () => `${field}:`),
          })),
  };
}
