import { answerWords, type CustomOutput } from './custom-output';
import type { ScoringMode } from './shapes';

/**
 * Reply instructions for the judge. Values are described, not shown: no part of this is JSON that
 * could be parsed as a reply when a judge repeats its question (S-25). `NONCE` is replaced by the
 * nonce of the question.
 */
const REASONS =
  '"reasoning": <your reasons, two to five sentences>, "quotes": [<passages copied word for word, at most five>]';
const CONFIDENCE = '"confidence": <0 to 1>';
const HEAD = `## The form of your answer

One JSON object with exactly these members, in this order:

{
  "nonce": <the code NONCE, as a string>,`;
const TAIL = `  "suggestions": [<what the author should change, most important first, at most five; an empty list where nothing is needed>],
  "confidence": <0 to 1, for the whole>
}`;

const answers: Record<ScoringMode, string> = {
  rubric: '"score": <1 to 5>',
  binary: '"met": <true or false>',
  criteria_match: '"match": <"full", "partial" or "none">',
};

export function criteriaFormat(
  mode: ScoringMode,
  criteria: number,
  dimensions: readonly string[],
): string {
  const each = `{ "criterion": <its number>, ${REASONS}, ${answers[mode]}, ${CONFIDENCE} }`;
  const list =
    criteria === 0
      ? '  "criteria": [<nothing: none is asked for here>],'
      : `  "criteria": [<one for each of the ${criteria}: ${each}>],`;
  const names = dimensions.map((name) => `"${name}"`).join(', ');
  const scored = '{ "dimension": <its name>, "reasoning": <your reasons>, "score": <1 to 5> }';
  const quality =
    mode !== 'rubric'
      ? []
      : [
          dimensions.length === 0
            ? '  "quality": [<nothing: it is not asked for here>],'
            : `  "quality": [<one for each of ${names}: ${scored}>],`,
        ];
  return [HEAD, list, ...quality, TAIL].join('\n');
}

export const pairFormat = `${HEAD}
  "reasoning": <your reasons, two to six sentences>,
  "issues": [<one for each inconsistency: { "description": <what contradicts what>, "severity": <"low", "medium" or "high">, "first_quote": <the passage of the first work, word for word>, "second_quote": <that of the second> }>],
  "score": <1 to 5>,
  "confidence": <0 to 1>
}`;

export const summaryFormat = `${HEAD}
  "reasoning": <your reasons, two to eight sentences>,
  "summary": <two to five sentences for the person who decides>,
  "weakest": [<at most three, the weakest first: { "task": <its number>, "reason": <what to mend> }>],
  "score": <1 to 5>,
  "confidence": <0 to 1>
}`;

const SCORES = ['completeness', 'consistency', 'groundedness', 'routability']
  .map((name) => `  "${name}": <0 to 1>,`)
  .join('\n');
const list = (name: string, what: string): string =>
  `  "${name}": [<${what}, one short sentence each, at most eight; an empty list where there are none>],`;
const ISSUES = {
  self: list('issues', 'what is wrong'),
  adversarial: [
    list('critical_issues', 'what makes the work fail'),
    list('minor_issues', 'what makes it worse'),
    list('edge_cases', 'cases that nobody thought of'),
  ].join('\n'),
} as const;

/** SOAR-11: the four scores, the judge's own overall and verdict, issues and recommendations. */
export const decompositionFormat = (option: 'self' | 'adversarial'): string => `${HEAD}
  "reasoning": <your reasons, three to ten sentences>,
${SCORES}
  "overall": <0 to 1>,
  "verdict": <"PASS", "RETRY" or "FAIL">,
${ISSUES[option]}
  "suggestions": [<what the planner should change, most important first, at most eight; an empty list where nothing is needed>]
}`;

/** SOAR-21: the remaining claims, then the answer as a whole. */
export function claimsFormat(claims: number): string {
  const each =
    '{ "claim": <its number>, "reasoning": <your reasons, one or two sentences>, "supported_by": [<numbers of the outputs that say it; an empty list where none does>], "quote": <the passage of such an output that says it, word for word; an empty string where none does> }';
  const entries =
    claims === 0 ? '<nothing: none is asked for here>' : `<one for each of the ${claims}: ${each}>`;
  return `${HEAD}
  "reasoning": <what you saw, two to six sentences>,
  "claims": [${entries}],
  "coherence_reasoning": <your reasons>,
  "coherence": <1 to 5>,
  "completeness_reasoning": <your reasons>,
  "completeness": <1 to 5>,
  "missing": [<what is missing and not explained, one short sentence each, at most ten; an empty list where nothing is>],
  "confidence": <0 to 1, for the whole>
}`;
}

/**
 * The reply of a custom judge: one answer, or one for each criterion.
 * @param criteria number of criteria; 0 if the prompt has one question
 */
export function customFormat(output: CustomOutput, criteria: number): string {
  const answer = `"answer": ${answerWords(output)}`;
  const entries =
    criteria === 0
      ? [`  ${REASONS},`, `  ${answer},`]
      : [
          `  "criteria": [<one for each of the ${criteria}: { "criterion": <its number>, ${REASONS}, ${answer} }>],`,
        ];
  return [HEAD, ...entries, '  "confidence": <0 to 1, for the whole>', '}'].join('\n');
}
