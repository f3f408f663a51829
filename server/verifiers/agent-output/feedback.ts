import type { Issue } from '../../domain';
import { lineOf } from '../asking';
import type { CheckpointRuling } from '../checkpoint';
import type { RunSetting } from '../subject-kind';
import type { ReadOutput } from './format';
import type { AgentOutputSubject } from './subject';

interface Told {
  readonly subject: AgentOutputSubject;
  readonly read: ReadOutput;
  readonly issues: readonly Issue[];
  readonly ruling: CheckpointRuling;
  readonly setting: RunSetting<unknown>;
}

const nameOf = ({ subgoal }: AgentOutputSubject): string => (subgoal.id === '' ? 'the subgoal' : `subgoal ${subgoal.id}`);

function faultLines({ read, issues }: Told): string[] {
  const confidence = read.confidence === null ? [] : [`- The confidence stated is ${read.confidence}: say what is missing, and supply it.`];
  return [...issues.map(({ message }) => `- ${message}`), ...confidence];
}

/** For the next attempt, ready to stand in its prompt. */
export function retryText(told: Told, otherAgent: string | null): string {
  const { subject, read } = told;
  return [
    'PREVIOUS ATTEMPT FEEDBACK:',
    `An output for ${nameOf(subject)}${read.agent === null ? '' : ` by ${read.agent}`} was not accepted.`,
    ...(subject.subgoal.description === '' ? [] : [`Subgoal: ${lineOf(subject.subgoal.description)}`]),
    ...(read.summary === '' ? [] : [`Its summary: ${lineOf(read.summary)}`]),
    'What was wrong:',
    ...faultLines(told),
    otherAgent === null ? 'Do the subgoal anew in another way, and mend these points.' : 'Do the subgoal anew, and avoid these faults.',
  ].join('\n');
}

/** What decided: a fault of the form or of the agent, else the confidence. */
function whyOf({ issues, read }: Told): string {
  const decisive = issues.find(({ severity }) => severity === 'high')?.message;
  return decisive ?? `its confidence is ${read.confidence ?? 'not known'}`;
}

/** For the synthesis, beside an output that failed (SOAR-18). */
export function warningText(told: Told): string {
  return `Only a part of ${nameOf(told.subject)} was reached (${whyOf(told)}): whatever rests on it is not certain.`;
}

/** Whether the confidence or the retries ended it (SOAR-13). */
export function failureText(told: Told): string {
  const { subject, ruling, setting } = told;
  const { used } = setting.retries;
  const name = nameOf(subject);
  if (ruling.failedBy !== 'retries') return `The output for ${name} failed: ${whyOf(told)}`;
  return `No output for ${name} was accepted after ${used} ${used === 1 ? 'retry' : 'retries'}: ${whyOf(told)}`;
}
