import { kindName } from '@/app/_ui/kind-names';

/** The text for each verifier's kind. */
interface KindWords {
  readonly name: string;
  readonly judges: string;
  /** How scores become a verdict. */
  readonly rule: string;
}

const words: ReadonlyMap<string, Omit<KindWords, 'name'>> = new Map([
  [
    'integrity',
    {
      judges: 'Turns: whether every figure of an answer stands in a source of the same turn.',
      rule: 'An answer is sourced when no figure is left unsourced; nothing is compared with a threshold.',
    },
  ],
  [
    'turn',
    {
      judges:
        'Answers within their conversation: whether the model is on its way to the goal. The gateway asks before an answer goes out.',
      rule: 'The verifier lets an answer pass, or steers with a note. A reply that cannot be read is asked for once more, and then leaves no verdict: the answer goes out as it is.',
    },
  ],
  [
    'task',
    {
      judges: 'Tasks: whether an output meets the criteria that it was made for.',
      rule: 'It fails when something that must pass does not, or below the fail threshold; passes from the pass threshold up, with all checks met and enough confidence; between the two it is partial. A judge that broke leaves no verdict.',
    },
  ],
  [
    'code',
    {
      judges:
        'Code that was written on request: whether its files, framework and patterns are those that were asked for, and whether it compiles.',
      rule: 'It passes from the threshold of its model’s tier up, in points of 100. A wrong framework fails whatever the points are, and so do tests that were sent along and did not pass. Where compilers could not run and would have decided there is no verdict.',
    },
  ],
  [
    'consistency',
    {
      judges: 'Outputs of related tasks: whether each two of them fit together.',
      rule: 'They are inconsistent as soon as a pair is below the pass threshold or holds a severe issue; the score is that of the worst pair. A pair that could not be judged leaves no verdict, unless another one is inconsistent.',
    },
  ],
  [
    'mission',
    {
      judges: 'Missions: whether the tasks together did what was to be done.',
      rule: 'The judge’s score of the whole decides: it passes from the pass threshold up, with enough confidence; fails below the fail threshold, and when no task handed anything in; between the two it is partial.',
    },
  ],
  [
    'decomposition',
    {
      judges:
        'Plans: whether a query was cut into subgoals that cover it, fit together, rest on what is there and can be worked on.',
      rule: 'Completeness counts 0.4, consistency, groundedness and routability 0.2 each. It passes from the pass threshold up, fails below the retry threshold, and is tried again between the two while its retries last. A circle, a dangling reference, an id twice or an empty part never passes.',
    },
  ],
  [
    'agent-output',
    {
      judges:
        'Outputs of agents: whether what was handed in for a subgoal can go into the synthesis.',
      rule: 'It passes with a valid form and a confidence from the pass threshold up. Below the retry threshold it fails at once; otherwise it is tried again while its retries last. No model is asked.',
    },
  ],
  [
    'synthesis',
    {
      judges:
        'Answers made from what several agents handed in: whether each claim rests on an output.',
      rule: 'It passes when the share of claims that rest on an output reaches the pass threshold; below it the answer is made anew while retries last, and then the outputs stand in for it. There is no floor. Coherence and completeness are told and decide nothing. Without claims there is no verdict.',
    },
  ],
]);

export function wordsOf(slug: string): KindWords {
  const known = words.get(slug) ?? {
    judges: 'What is handed to its verify route.',
    rule: 'By its own rule.',
  };
  return { name: kindName(slug), ...known };
}
