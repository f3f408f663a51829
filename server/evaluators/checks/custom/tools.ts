import { z } from 'zod';
import { type EvaluationSubject, jsonAsText, type SubjectTool } from '../../../domain';
import { found, listed, quoted } from '../check';
import { compilePattern, findPattern } from '../pattern';
import { jsonOf, rangeProblems, describeRange, sameJson } from './compare';
import { defineSubjectCheck, type MemberProblem, type CustomCheck } from './definition';

/** Checks of the tools that were called. Sessions and missions have the tools of their turns. */

const Name = z.string().min(1).max(200);
const Matcher = z
  .strictObject({
    contains: z.string().min(1).optional(),
    equals: z.unknown().optional(),
    matches: z.string().min(1).optional(),
  })
  .refine((matcher) => Object.values(matcher).some((part) => part !== undefined), {
    message: 'must have `contains`, `equals` or `matches`',
  });
type Matcher = z.infer<typeof Matcher>;
const Matchers = z.record(z.string().min(1).max(200), Matcher);
type Matchers = z.infer<typeof Matchers>;

const name = Name.describe('Name of the tool.');
const matchersMeaning =
  'By name of the argument: `contains` (part of its text), `equals` (any JSON), `matches` (a pattern, RE2). All must hold.';
const times = z.number().int().min(0).max(1_000_000);

function calledTools(subject: EvaluationSubject): readonly SubjectTool[] {
  const ofTurns = 'turns' in subject ? subject.turns.flatMap((turn) => turn.tools) : [];
  return subject.tools.length > 0 ? subject.tools : ofTurns;
}

const namesOf = (tools: readonly SubjectTool[]): string =>
  tools.length === 0 ? 'no tool was called' : `called: ${listed(tools.map((tool) => tool.name))}`;

/** Whether a call has matching arguments. */
function matcherOf(matchers: Matchers): (tool: SubjectTool) => boolean {
  const tests = Object.entries(matchers).map(
    ([argument, matcher]) => [argument, testOf(matcher)] as const,
  );
  return (tool) => {
    const given = tests.length === 0 ? {} : jsonOf(tool.arguments);
    if (typeof given !== 'object' || given === null) return false;
    const members = new Map<string, unknown>(Object.entries(given));
    return tests.every(([argument, test]) => members.has(argument) && test(members.get(argument)));
  };
}

function testOf({ contains, equals, matches }: Matcher): (value: unknown) => boolean {
  const pattern = matches === undefined ? null : compilePattern(matches);
  return (value) =>
    (contains === undefined || jsonAsText(value).includes(contains)) &&
    (equals === undefined || sameJson(value, equals)) &&
    (pattern === null || findPattern(pattern, jsonAsText(value)) !== null);
}

function matcherProblems(matchers: Matchers = {}): MemberProblem[] {
  return Object.entries(matchers).flatMap(([argument, { matches }]) => {
    if (matches === undefined) return [];
    try {
      compilePattern(matches);
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [{ path: ['arguments', argument, 'matches'], message: `cannot be used: ${reason}` }];
    }
  });
}

const withArguments = (matchers: Matchers | undefined): string =>
  matchers === undefined ? '' : ' with these arguments';

/** `tool_called`: the tool was called, with matching arguments, a number of times. */
export const toolCalled: CustomCheck = defineSubjectCheck({
  name: 'tool_called',
  meaning: 'The tool was called, at least once or as often as `min` and `max` require.',
  needs: 'nothing: without tools the check is not met',
  members: {
    name,
    arguments: Matchers.optional().describe(matchersMeaning),
    min: times.optional().describe('Fewest calls. Default 1.'),
    max: times.optional().describe('Most calls.'),
  },
  example: { name: 'search', arguments: { query: { contains: 'refund' } }, must_pass: true },
  problems: ({ arguments: matchers, min = 1, max }) => [
    ...rangeProblems({ min, max }),
    ...matcherProblems(matchers),
  ],
  title: ({ name: tool, arguments: matchers, min = 1, max }) =>
    min === 1 && max === undefined
      ? `Calls ${quoted(tool)}${withArguments(matchers)}`
      : `Calls ${quoted(tool)}${withArguments(matchers)} ${describeRange({ min, max })} times`,
  prepare({ name: tool, arguments: matchers, min = 1, max }) {
    const isMatch = matcherOf(matchers ?? {});
    return (subject) => {
      const tools = calledTools(subject);
      const ofName = tools.filter((each) => each.name === tool);
      const matching = ofName.filter(isMatch).length;
      const met = matching >= min && matching <= (max ?? Infinity);
      const reasoning =
        ofName.length === 0
          ? `${quoted(tool)} was not called; ${namesOf(tools)}`
          : `${quoted(tool)} was called ${ofName.length} times, ${matching} of them${matchers === undefined ? '' : ' with matching arguments'}; required: ${describeRange({ min, max })}`;
      return found(met, reasoning);
    };
  },
});

/** `tool_not_called`: the tool was not called, or not with these arguments. */
export const toolNotCalled: CustomCheck = defineSubjectCheck({
  name: 'tool_not_called',
  meaning: 'The tool was not called; with `arguments`, not with matching ones.',
  needs: 'nothing: without tools the check is met',
  members: { name, arguments: Matchers.optional().describe(matchersMeaning) },
  example: { name: 'delete_account', must_pass: true },
  problems: ({ arguments: matchers }) => matcherProblems(matchers),
  title: ({ name: tool, arguments: matchers }) =>
    `Does not call ${quoted(tool)}${withArguments(matchers)}`,
  prepare({ name: tool, arguments: matchers }) {
    const isMatch = matcherOf(matchers ?? {});
    return (subject) => {
      const calls = calledTools(subject).filter(
        (each) => each.name === tool && isMatch(each),
      ).length;
      return found(
        calls === 0,
        `${quoted(tool)} was called ${calls} times${withArguments(matchers)}`,
      );
    };
  },
});

/** `tool_arguments`: every call of the tool has matching arguments. */
export const toolArguments: CustomCheck = defineSubjectCheck({
  name: 'tool_arguments',
  meaning: 'Every call of the tool has matching arguments. The value is the share of such calls.',
  needs: 'a call of the tool',
  members: { name, arguments: Matchers.describe(matchersMeaning) },
  example: { name: 'search', arguments: { limit: { equals: 10 } } },
  problems: ({ arguments: matchers }) => matcherProblems(matchers),
  title: ({ name: tool }) => `Arguments of ${quoted(tool)}`,
  prepare({ name: tool, arguments: matchers }) {
    const isMatch = matcherOf(matchers);
    return (subject) => {
      const calls = calledTools(subject).filter((each) => each.name === tool);
      if (calls.length === 0) return { unscored: `${quoted(tool)} was not called` };
      const matching = calls.filter(isMatch).length;
      return {
        ...found(
          matching === calls.length,
          `${matching} of ${calls.length} calls of ${quoted(tool)} have matching arguments`,
        ),
        value: matching / calls.length,
      };
    };
  },
});

/** `tool_order`: tools were called in this order. */
export const toolOrder: CustomCheck = defineSubjectCheck({
  name: 'tool_order',
  meaning:
    'The tools were called in this order. Other calls may come between them, unless `exact` is true.',
  needs: 'nothing: without tools the check is not met',
  members: {
    names: z.array(Name).min(1).max(100).describe('Names of tools, the first call first.'),
    exact: z.boolean().default(false).describe('Whether these are all calls.'),
  },
  example: { names: ['search', 'refund'] },
  title: ({ names, exact }) =>
    `Calls ${exact ? 'exactly ' : ''}${names.map(quoted).join(', then ')}`,
  prepare:
    ({ names, exact }) =>
    (subject) => {
      const tools = calledTools(subject);
      let next = 0;
      for (const tool of tools) if (next < names.length && tool.name === names[next]) next++;
      const isOrdered = next === names.length;
      const met = isOrdered && (!exact || tools.length === names.length);
      const missing = names[next];
      const reasoning = met
        ? 'the tools were called in this order'
        : missing !== undefined
          ? `${quoted(missing)} was not called${next === 0 ? '' : ` after ${quoted(names[next - 1] ?? '')}`}; ${namesOf(tools)}`
          : `there are ${tools.length} calls, ${names.length} are required; ${namesOf(tools)}`;
      return found(met, reasoning);
    },
});
