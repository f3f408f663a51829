import { countCodePoints, exampleText, type PromptExample, utf16Index } from '../../domain';
import type { StructureDetail } from '../../evaluators/subgoals';
import { type Dimension, dimensions, type Scores } from './detail';
import type { DecompositionSubject } from './subject';

/** Heading of the feedback in the next prompt (SOAR-12). */
const HEADING = 'PREVIOUS ATTEMPT FEEDBACK:';
const QUERY_CHARS = 2_000;
const PLAN_CHARS = 6_000;
const BASIC_MAX = 8;
const DETAILED_MAX = 30;

export interface FeedbackOf {
  readonly subject: DecompositionSubject;
  readonly scores: Scores | null;
  readonly overall: number | null;
  readonly passMark: number;
  readonly structure: StructureDetail | null;
  /** The most severe first. */
  readonly issues: readonly string[];
  readonly suggestions: readonly string[];
  /** Retries used before this verdict; the first feedback is shorter. */
  readonly used: number;
  readonly budget: number;
  /** A good decomposition of another query; null if the prompt has none. */
  readonly example: PromptExample | null;
}

/**
 * The feedback for the planner's next prompt (SOAR-12): the query, its last decomposition, the four
 * scores, the faults and the suggestions. From the second time on, it also has the requirement of
 * each score, advice for every fault, and an example. It quotes the judge and the work verbatim: it
 * goes to the caller's own planner, never to another judge.
 */
export function feedbackOf(given: FeedbackOf): string {
  const { subject, scores, passMark, used, budget, issues, suggestions, structure } = given;
  const isDetailed = used > 0;
  const max = isDetailed ? DETAILED_MAX : BASIC_MAX;
  return [
    HEADING,
    `Attempt ${used + 1} of ${budget + 1} to decompose this query ${attemptResult(given)}. Fix what is listed below and keep the rest.`,
    `Query:\n${shortened(subject.query, QUERY_CHARS)}`,
    `Previous decomposition:\n${planText(subject)}`,
    ...(scores === null
      ? []
      : [
          `Scores:\n${dimensions.map(({ name }) => scoreLine(name, scores[name], passMark, isDetailed)).join('\n')}`,
        ]),
    ...part('Issues:', issues, max),
    ...part('Suggestions:', suggestions, max),
    ...(isDetailed ? adviceParts(structure) : []),
    ...(isDetailed && given.example !== null
      ? [`An example of a good decomposition, of another query:\n${exampleText(given.example)}`]
      : []),
  ]
    .join('\n\n')
    .toWellFormed();
}

/** Why the decomposition is sent back. */
function attemptResult({ overall, passMark, structure }: FeedbackOf): string {
  if (overall === null) return 'was not scored, since parts of it do not fit together';
  if (structure?.faulty === true) return 'has faults of structure that no score outweighs';
  return `scored ${overall} of the ${passMark} that it needs`;
}

/** The advice to the planner for a score below the pass mark. */
const adviceByDimension: Record<Dimension, string> = {
  completeness:
    'go through the query part by part, and add a subgoal for whatever none covers, tests and failures included',
  consistency: 'take out what contradicts itself, and let nothing begin before what it depends on',
  groundedness:
    'build on what the context shows, name it, and take out what nothing there bears out',
  routability: 'give every subgoal to an agent that there is and that has what it takes',
};

function scoreLine(name: Dimension, score: number, passMark: number, isDetailed: boolean): string {
  return `- ${name}: ${score}${isDetailed && score < passMark ? ` (too low: ${adviceByDimension[name]})` : ''}`;
}

function adviceParts(structure: StructureDetail | null): readonly string[] {
  // The caller supplies the agents, so the planner cannot fix this.
  const ofPlan = (structure?.findings ?? []).filter(({ code }) => code !== 'agents_unchecked');
  const lines = ofPlan.map(({ message, advice }) => `${message}. To do: ${advice}`);
  return part('What to do about each fault of the structure:', lines, DETAILED_MAX);
}

function part(title: string, lines: readonly string[], max: number): readonly string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, max).map((line) => `- ${line}`);
  return [
    [title, ...shown, ...(lines.length > max ? [`- and ${lines.length - max} more`] : [])].join(
      '\n',
    ),
  ];
}

function planText({ decomposition }: DecompositionSubject): string {
  const isShort = decomposition.subgoals.length <= 200;
  const plan = isShort
    ? decomposition
    : { ...decomposition, subgoals: decomposition.subgoals.slice(0, 200) };
  return shortened(JSON.stringify(plan), PLAN_CHARS);
}

function shortened(text: string, max: number): string {
  const length = countCodePoints(text);
  return length <= max ? text : `${text.slice(0, utf16Index(text, max))}\n[shortened]`;
}
