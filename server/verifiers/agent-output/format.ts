import { isBlank } from '../../domain';

/**
 * The members of an agent's output that could be read, and its format errors (SOAR-16, SOAR-20).
 */
export interface ReadOutput {
  /** Each message begins with its member. Empty if the format is valid. */
  readonly errors: readonly string[];
  readonly agent: string | null;
  /** Empty if the output has none. */
  readonly summary: string;
  readonly data: unknown;
  /** 0..1; null if the output has no valid one. */
  readonly confidence: number | null;
  /** The error that the agent reports; null if it reports success. */
  readonly failure: { readonly message: string } | null;
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string =>
  typeof value === 'string' && !isBlank(value) ? value.trim() : '';

/** Never throws: an unreadable output is a format error. */
export function readOutput(output: unknown): ReadOutput {
  if (!isMembers(output)) {
    const errors = [
      `the output must be an object with summary, data, confidence, tools_used and metadata, not ${kindOf(output)}`,
    ];
    return { errors, agent: null, summary: '', data: null, confidence: null, failure: null };
  }
  const failure = failureOf(output);
  // A failed output must state the reason; all other members are optional.
  const isChecked = (member: string): boolean => failure === null || output[member] != null;
  return {
    errors: [
      ...(failure === null ? summaryErrors(output) : failureErrors(failure)),
      ...(failure === null && output.data === undefined
        ? ['data: is missing; it may be empty']
        : []),
      ...(isChecked('confidence') ? confidenceErrors(output.confidence) : []),
      ...(isChecked('tools_used') ? toolErrors(output.tools_used) : []),
      ...(!isChecked('metadata') || isMembers(output.metadata)
        ? []
        : [`metadata: must be an object, not ${kindOf(output.metadata)}`]),
    ],
    agent: textOf(output.agent) === '' ? null : textOf(output.agent),
    summary: textOf(output.summary),
    data: output.data ?? null,
    confidence: isRate(output.confidence) ? output.confidence : null,
    failure,
  };
}

/** An agent reports a failure by `success: false`, or by an error without a success flag. */
function failureOf({ success, error }: Members): ReadOutput['failure'] {
  const message = isMembers(error) ? textOf(error.message) : textOf(error);
  return success === false || (message !== '' && success !== true) ? { message } : null;
}

const summaryErrors = ({ summary }: Members): string[] => {
  if (typeof summary !== 'string') return [`summary: must be a text, not ${kindOf(summary)}`];
  return isBlank(summary) ? ['summary: is empty'] : [];
};

const failureErrors = ({ message }: { readonly message: string }): string[] =>
  message === '' ? ['error: an output that failed says why; it is empty'] : [];

const isRate = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 1;

function confidenceErrors(confidence: unknown): string[] {
  if (isRate(confidence)) return [];
  const found = typeof confidence === 'number' ? String(confidence) : kindOf(confidence);
  return [`confidence: must be a number from 0 to 1, not ${found}`];
}

function toolErrors(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [`tools_used: must be a list of names, not ${kindOf(tools)}`];
  const at = tools.findIndex((tool) => typeof tool !== 'string');
  return at === -1 ? [] : [`tools_used[${at}]: must be a name, not ${kindOf(tools[at])}`];
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object'
    ? 'an object'
    : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}
