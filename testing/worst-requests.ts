/** Accepted requests that cost as much as a caller can achieve, by class. */

export interface WorstRequest {
  readonly name: string;
  readonly path: string;
  /** Builds a body that `n` makes unique. */
  readonly body: (n: number) => string;
  /** Whether a single one takes more than a second of processor time. */
  readonly isOver: boolean;
}

/** Each definition refers to the next one twice, which makes 2^depth validations. */
function doublingSchema(depth: number, n: number): object {
  const $defs: Record<string, object> = { [`d${depth}`]: { type: 'string', minLength: n % 7 } };
  for (let i = 0; i < depth; i++) {
    const next = { $ref: `#/$defs/d${i + 1}` };
    $defs[`d${i}`] = { allOf: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0', title: `s${n}` };
}

const task = (criteria: readonly object[], output: string, n: number): string =>
  JSON.stringify({ task_description: `t${n}`, success_criteria: criteria, task_output: output });

const figures = (count: number, n: number): string =>
  Array.from({ length: count }, (_, i) => `host-${i} is at ${(i * 7 + n) % 1000}.${i % 10}%`).join(
    ', ',
  );

const words = (count: number, n: number): string =>
  Array.from(
    { length: count },
    (_, i) =>
      `Claim ${i} of ${n}: service ${i % 97} answered ${i * 3} requests in region ${i % 13}.`,
  ).join(' ');

/** A body of about `bytes` bytes with many small members. */
function manyTurns(bytes: number, n: number): string {
  const tools = [
    {
      id: 'a',
      name: 'rows',
      result: {
        rows: Array.from({ length: Math.floor(bytes / 60) }, (_, i) => ({
          id: i,
          name: `row ${i}`,
          value: i / 7,
        })),
      },
    },
  ];
  return JSON.stringify({
    turns: [
      { id: `big-${n}`, input: [{ role: 'user', content: 'q' }], tools, output: 'It is 1.5.' },
    ],
  });
}

export const worstRequests: readonly WorstRequest[] = [
  {
    name: '20 json_schema checks whose $refs double',
    path: '/v1/verify/task',
    body: (n) =>
      task(
        Array.from({ length: 20 }, (_, i) => ({
          check: 'json_schema',
          value: doublingSchema(24, n * 20 + i),
        })),
        '"x"',
        n,
      ),
    isOver: true,
  },
  {
    name: 'regex checks of many states',
    path: '/v1/verify/task',
    // Each matches only at the last character, since a failed check would skip the rest.
    body: (n) =>
      task(
        Array.from({ length: 20 }, (_, i) => ({
          check: 'regex',
          value: `(x[xy]{${399 - 2 * i}}[^xy])`,
        })),
        `${n} ${'xy'.repeat(95_000)}.`,
        n,
      ),
    isOver: true,
  },
  {
    name: 'uniqueItems over objects',
    path: '/v1/verify/task',
    // One check takes 0.8 s on a fast machine.
    body: (n) =>
      task(
        Array.from({ length: 4 }, (_, i) => ({
          check: 'json_schema',
          value: { type: 'array', uniqueItems: true, title: `u${n}-${i}` },
        })),
        JSON.stringify(Array.from({ length: 18_000 }, (_, i) => ({ a: i + n }))),
        n,
      ),
    isOver: true,
  },
  {
    name: 'a large integrity call',
    path: '/v1/verify/integrity',
    body: (n) =>
      JSON.stringify({
        tools: [
          {
            id: 'a',
            name: 't',
            result: { rows: Array.from({ length: 60_000 }, (_, i) => ({ id: i + n, v: i / 3 })) },
          },
        ],
        output: figures(9_000, n),
      }),
    isOver: false,
  },
  {
    name: 'a large synthesis call',
    path: '/v1/verify/synthesis',
    body: (n) =>
      JSON.stringify({
        query: 'q',
        answer: words(2_000, n),
        agent_outputs: Array.from({ length: 40 }, (_, i) => ({
          id: `a${i}`,
          agent: 'x',
          summary: words(300, i + n),
          data: {},
        })),
      }),
    isOver: false,
  },
  {
    name: 'a contract of a long request',
    path: '/v1/contracts',
    body: (n) =>
      JSON.stringify({
        request:
          `Write app.py with Flask ${n}. ${'Create file_a.py and class Foo, function bar(). '.repeat(4_000)}`.slice(
            0,
            190_000,
          ),
      }),
    isOver: false,
  },
  {
    name: 'a turn of 4.5 MB',
    path: '/v1/turns',
    body: (n) => manyTurns(4_500_000, n),
    isOver: false,
  },
];
