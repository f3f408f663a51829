import { lineOf } from '../asking';
import type { SynthesisClaim } from './detail';
import type { SynthesisSubject } from './subject';

/** Heading of the feedback in the next prompt (SOAR-12). */
const HEADING = 'PREVIOUS ATTEMPT FEEDBACK:';
const CLAIMS_SHOWN = 40;
const OUTPUTS_SHOWN = 40;

export interface SynthesisFeedbackInput {
  readonly subject: SynthesisSubject;
  readonly claims: readonly SynthesisClaim[];
  readonly traceability: number | null;
  readonly threshold: number;
  readonly retries: { readonly used: number; readonly budget: number };
}

const missedOf = (claims: readonly SynthesisClaim[]): readonly SynthesisClaim[] =>
  claims.filter(({ state }) => state !== 'supported');

function shareOf({ claims, traceability, threshold }: SynthesisFeedbackInput): string {
  const supported = claims.length - missedOf(claims).length;
  return `${supported} of its ${claims.length} claims rest on an output (${traceability ?? 'not known'}; at least ${threshold} must)`;
}

/**
 * The feedback for the next attempt: the unsupported claims, then the rules for the next answer
 * (SOAR-22); from the second retry on also the available outputs.
 */
export function retryText(input: SynthesisFeedbackInput): string {
  const { subject, claims, retries } = input;
  const missed = missedOf(claims);
  const lines = missed
    .slice(0, CLAIMS_SHOWN)
    .map(({ text, reason }) => `- ${lineOf(text)}${reason === null ? '' : ` (${lineOf(reason)})`}`);
  const more = missed.length > CLAIMS_SHOWN ? [`- and ${missed.length - CLAIMS_SHOWN} more`] : [];
  const outputs = subject.agent_outputs
    .slice(0, OUTPUTS_SHOWN)
    .map(({ id, summary }) => `- [${id}] ${lineOf(summary)}`);
  return [
    HEADING,
    `Attempt ${retries.used + 1} of ${retries.budget + 1} was not accepted: ${shareOf(input)}.`,
    `Query: ${lineOf(subject.query)}`,
    'These claims are in no output of an agent:',
    ...lines,
    ...more,
    'Rewrite the answer under a stricter rule: state only what an output says, with its figures unchanged, and behind each statement the id of that output in brackets. The name of an agent is no source. Leave out what no output says, or say that it is not known.',
    ...(retries.used === 0 ? [] : ['The outputs that may be used:', ...outputs]),
  ]
    .join('\n')
    .toWellFormed();
}

/** The reason for the failure, for people. */
export function failureText(input: SynthesisFeedbackInput): string {
  const { used } = input.retries;
  return `The answer could not be traced to the outputs of the agents after ${used} ${used === 1 ? 'retry' : 'retries'}: ${shareOf(input)}.`;
}

/** The warning shown next to the outputs that replace the answer. */
export function fallbackWarning({ claims }: SynthesisFeedbackInput): string {
  const missed = missedOf(claims).length;
  return `No answer is given, since ${missed} of ${claims.length} statements of it could not be traced. These are the outputs of the agents as they came; they are not combined.`;
}
