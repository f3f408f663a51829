import type { ConfigField } from '../config-field';
import { criteriaLimits, sourceQualities } from './config';

export const taskFields: readonly ConfigField[] = [
  {
    key: 'criteria',
    name: 'Criteria for rules',
    meaning:
      'What a judge checks in tasks that rules send, one criterion a line. A verify call brings its own.',
    type: 'texts',
    itemsMax: criteriaLimits.items,
    charsMax: criteriaLimits.chars,
  },
  {
    key: 'strategy',
    name: 'Which work is judged',
    meaning:
      'Checks that ask no model always run. This says for which work a judge is asked as well; the budget holds under each.',
    type: 'choice',
    options: [
      {
        value: 'tiered',
        name: 'Tiered',
        meaning: 'All work from the floor up; what cost less is decided by its checks alone.',
      },
      {
        value: 'smart',
        name: 'Smart',
        meaning: 'As tiered, and below the floor also work that other work waits for.',
      },
      {
        value: 'sample',
        name: 'Sample',
        meaning: 'A share of the work from the floor up; the rest is decided by its checks alone.',
      },
      { value: 'always', name: 'Always', meaning: 'All work, at any cost.' },
    ],
  },
  {
    key: 'sample_rate',
    name: 'Share under “sample”',
    meaning:
      '0.1 is every tenth. The same work is in the sample or out of it each time. It has no effect under the others.',
    type: 'number',
    min: 0,
    max: 1,
    whole: false,
  },
  {
    key: 'judging',
    name: 'How criteria are asked',
    meaning: 'How many questions a judge gets about one output.',
    type: 'choice',
    options: [
      {
        value: 'together',
        name: 'Together',
        meaning: 'One question for all criteria: one call for each judge.',
      },
      {
        value: 'per_criterion',
        name: 'Each alone',
        meaning:
          'One call for each criterion, and one for the qualities: dearer, and no criterion colours another.',
      },
    ],
  },
  {
    key: 'dimensions',
    name: 'Further qualities',
    meaning:
      'Scored in addition to completeness, accuracy, clarity and relevance, for work that rests on sources. They do not count into the score.',
    type: 'choices',
    options: sourceQualities.map(({ name, meaning }) => ({
      value: name,
      name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      meaning: `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`,
    })),
  },
  {
    key: 'output_chars',
    name: 'Shown of the output',
    meaning: 'Characters of an output in one judge call. A longer one is judged in windows.',
    type: 'number',
    min: 500,
    max: 200_000,
    whole: true,
  },
];
