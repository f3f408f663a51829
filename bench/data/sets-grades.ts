import type { DataSet } from './data-set';
import { readJudges } from './read-judges';

/**
 * Grades of code snippets from 0 to 4: those of several people, their combined grade, and two
 * replies of a judge, one with the grade alone and one with reasons before it. One reply states no
 * grade; the recorded figures use the last number in it, and so does this mapping.
 */
const conala: DataSet = {
  name: 'rubric-conala-usefulness',
  mapping: {
    each: 'items',
    id: ['id', '@.system'],
    source: '@.system',
    input: 'request',
    output: '@.snippet',
    context: [{ id: 'reference', path: 'reference' }],
    labels: [
      { each: '@.grades', value: '@@', as: 'grade', rater: { key: true }, dimension: 'criterion' },
      { value: '@.human_aggregated', as: 'grade', dimension: 'criterion' },
    ],
    judgements: [
      {
        each: '@.replies',
        judge: ['@@.judge', '@@.prompt'],
        value: '@@.text',
        reason: '@@.text',
        as: 'grade',
        dimension: 'criterion',
        number: [{ after: ['usefulness', 'score'] }, 'last'],
        range: [0, 4],
        when_empty: 'no_verdict',
      },
    ],
  },
  async figures(client, { rows, turns }) {
    const { grades, people } = await readJudges(client);
    return {
      requests: rows,
      items: turns,
      individual_grades: people[0]?.labels ?? null,
      ...Object.fromEntries(
        grades.map((each) => [
          each.judge.split('/')[1] ?? each.judge,
          {
            unparsed: each.no_verdict,
            kendall: each.kendall.value,
            pearson: each.pearson.value,
            spearman: each.spearman.value,
            exact: each.exact.value,
            within_1: each.within_1.value,
            mean_human: each.mean_truth,
            mean_judge: each.mean_judge,
          },
        ]),
      ),
    };
  },
};

/**
 * People's mean grades on six dimensions, on different scales, and those of an automatic evaluator.
 */
const topicalChat: DataSet = {
  name: 'rubric-topical-chat',
  mapping: {
    id: 'id',
    source: 'system',
    input: 'dialogue',
    output: 'response',
    context: 'context',
    labels: [{ each: 'human', value: '@@', as: 'grade', dimension: { key: true } }],
    judgements: [
      {
        each: 'evaluator.scores',
        judge: 'evaluator.name',
        value: '@@',
        as: 'grade',
        dimension: { key: true },
      },
    ],
  },
  async figures(client, { rows }) {
    const { grades } = await readJudges(client);
    return {
      rows,
      ...Object.fromEntries(
        grades.map(({ dimension, pearson, spearman }) => [
          dimension ?? '',
          { pearson: pearson.value, spearman: spearman.value },
        ]),
      ),
    };
  },
};

export const gradeSets: readonly DataSet[] = [conala, topicalChat];
