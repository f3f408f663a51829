import { z } from 'zod';
import { found, quoted } from '../check';
import { jsonOf, sameJson } from './compare';
import { defineFieldCheck, type CustomCheck, compiledQuery, queryProblem } from './definition';

/** `json_path`: a query finds something in the JSON of the field, or an equal value. */
export const jsonPath: CustomCheck = defineFieldCheck({
  name: 'json_path',
  meaning:
    'The query finds a value in the JSON of the field. With `equals` it is this value; several found values are compared as a list. With `exists: false` it finds none.',
  needs: 'a value at `field`',
  members: {
    path: z.string().min(1).describe('JSONPath query (RFC 9535) in the value of `field`.'),
    exists: z.boolean().optional().describe('False: nothing may be found. Default true.'),
    equals: z.unknown().optional().describe('The value that must be found, any JSON.'),
  },
  example: { path: '$.status', equals: 'approved' },
  problems: ({ path, exists, equals }) => [
    ...queryProblem(['path'], path),
    ...(exists === false && equals !== undefined
      ? [
          {
            path: ['equals'],
            message: 'cannot be used with `exists: false`; leave one of them out',
          },
        ]
      : []),
  ],
  title: ({ path, exists = true, equals }) =>
    equals === undefined
      ? `${exists ? 'Has' : 'Does not have'} ${path}`
      : `${path} equals ${quoted(JSON.stringify(equals))}`,
  prepare({ path, exists = true, equals }) {
    const query = compiledQuery(path);
    return ({ value }) => {
      const json = jsonOf(value);
      if (json === undefined) return found(false, 'the text is not JSON');
      const values = query.select(json);
      if (equals === undefined) {
        const reasoning = values.length === 0 ? `${path} is not there` : `${path} is there`;
        return found(values.length > 0 === exists, reasoning);
      }
      if (values.length === 0) return found(false, `${path} is not there`);
      const actual = values.length === 1 ? values[0] : values;
      return found(sameJson(actual, equals), `${path} is ${quoted(JSON.stringify(actual))}`);
    };
  },
});
