import type { RouteSettings } from '@/server/gateway/input';
import type { NumberField, RouteDraft, ValueSource } from './route-draft';

export const sourceWords: Record<ValueSource, string> = {
  default: 'The release’s own value.',
  environment: 'From the environment.',
  project: 'Set for this route.',
};

export const fieldLabels: Record<NumberField, string> = {
  frequency: 'Verify every, turns',
  minTurn: 'First turn that may be verified',
  followupWeight: 'A tool follow-up counts, turns',
  maxHistory: 'Messages of history shown',
  controlShare: 'Notes withheld, percent',
  firstTokenTimeout: 'First token within, seconds',
  maxFailures: 'Failures in a row',
  cooldown: 'Cooldown, seconds',
  deadline: 'Time for the scan, milliseconds',
  firstToken: 'Longest wait for the first token, seconds',
  total: 'Longest time until delivery, seconds',
};

/** The meaning of a field's current value, in one sentence. */
export const meanings: Record<NumberField, (draft: RouteDraft) => string> = {
  frequency: ({ frequency: n }) =>
    n === '1'
      ? 'Every answer of a session is held and looked at.'
      : `Of every ${said(n)} turns of a session one answer is held and looked at.`,
  minTurn: ({ minTurn: n }) =>
    n === '1'
      ? 'The very first answer of a session may be verified.'
      : `No answer of a session is verified before turn ${said(n)}.`,
  followupWeight: ({ followupWeight: weight }) =>
    Number(weight) === 0
      ? 'A request that only brings a tool’s result counts nothing, and is never verified itself.'
      : `A request that only brings a tool’s result counts ${said(weight)} of a turn, and is never verified itself.`,
  maxHistory: ({ maxHistory: n }) =>
    n.trim() === ''
      ? 'Empty: the verifier is shown the whole conversation.'
      : `The verifier is shown the last ${said(n)} messages, and the answer.`,
  controlShare: ({ controlShare: share }) =>
    Number(share) === 0
      ? 'Every note is acted on, and what steering does cannot be measured.'
      : `Of 100 notes ${said(share)} are not acted on, at random, so that what steering does can be measured against them.`,
  firstTokenTimeout: ({ firstTokenTimeout: s }) =>
    `A verifier that is silent for ${said(s)} seconds has failed; the answer goes out as it came.`,
  maxFailures: ({ maxFailures: n }) =>
    `After ${said(n)} failures in a row the verifier is left alone for the cooldown.`,
  cooldown: ({ cooldown: s }) =>
    `For ${said(s)} seconds answers that are due go out unverified; then it is tried once.`,
  deadline: ({ deadline: ms }) =>
    `A scan that takes longer than ${said(ms)} ms is given up; the answer goes out as it is.`,
  firstToken: ({ firstToken: s }) =>
    `An answer whose first token takes longer than ${said(s)} seconds is not held, and goes out unverified.`,
  total: ({ total: s }) =>
    `A held answer goes out ${said(s)} seconds after its request, whatever is still to be found out.`,
};

const said = (value: string): string => (value.trim() === '' ? '…' : value.trim());

export const integrityChoices: readonly {
  readonly mode: RouteSettings['integrity']['mode'];
  readonly name: string;
  readonly meaning: string;
}[] = [
  {
    mode: 'observe',
    name: 'Observe',
    meaning: 'Answers go out at once; their figures are traced afterwards.',
  },
  {
    mode: 'hold',
    name: 'Hold',
    meaning:
      'Answers are held until their figures are traced; the model is asked once to cite again, and what has no source is marked.',
  },
  { mode: 'off', name: 'Off', meaning: 'No figure of this route is traced.' },
];
