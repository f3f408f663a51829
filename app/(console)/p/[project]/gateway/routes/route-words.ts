import type { RouteSettings, RouteVerifier } from '@/server/gateway/input';
import type { NumberField, RouteDraft, ValueSource } from './route-draft';

export const sourceWords: Record<ValueSource, string> = {
  default: 'Default.',
  environment: 'From the environment.',
  project: 'Set for this route.',
};

export const fieldLabels: Record<NumberField, string> = {
  frequency: 'Verification interval, turns',
  minTurn: 'First turn that may be verified',
  followupWeight: 'Weight of a tool follow-up, turns',
  maxHistory: 'History limit, messages',
  controlShare: 'Notes withheld, percent',
  firstTokenTimeout: 'First token timeout of the verifier, seconds',
  maxFailures: 'Consecutive failures before a cooldown',
  cooldown: 'Cooldown, seconds',
  verifyEvery: 'Interval of this verifier, turns',
  deadline: 'Scan timeout, milliseconds',
  firstToken: 'First token timeout of the answer, seconds',
  total: 'Delivery timeout, seconds',
};

/** The meaning of a field's current value, in one sentence. */
export const meanings: Record<NumberField, (draft: RouteDraft) => string> = {
  frequency: ({ frequency: n }) =>
    n === '1'
      ? 'The gateway verifies every answer of a session before it delivers it.'
      : `The gateway verifies one answer of every ${shown(n)} turns of a session before it delivers it.`,
  minTurn: ({ minTurn: n }) =>
    n === '1'
      ? 'The first answer of a session may be verified.'
      : `No answer of a session is verified before turn ${shown(n)}.`,
  followupWeight: ({ followupWeight: weight }) =>
    Number(weight) === 0
      ? 'A request that only returns a tool result does not count as a turn, and is never verified.'
      : `A request that only returns a tool result counts as ${shown(weight)} of a turn, and is never verified.`,
  maxHistory: ({ maxHistory: n }) =>
    n.trim() === ''
      ? 'Empty: the verifier receives the whole conversation.'
      : `The verifier receives the last ${shown(n)} messages and the answer.`,
  controlShare: ({ controlShare: share }) =>
    Number(share) === 0
      ? 'The gateway sends every note, so the effect of steering cannot be measured.'
      : `The gateway withholds ${shown(share)} of 100 notes at random, to measure the effect of steering.`,
  firstTokenTimeout: ({ firstTokenTimeout: s }) =>
    `If the verifier sends no token for ${shown(s)} seconds, the gateway delivers the original answer.`,
  maxFailures: ({ maxFailures: n }) =>
    `After ${shown(n)} failures in a row, the gateway does not call the verifier during the cooldown.`,
  cooldown: ({ cooldown: s }) =>
    `For ${shown(s)} seconds, the gateway delivers answers unverified; then it tries the verifier once.`,
  verifyEvery: ({ verifyEvery: n }) =>
    n === '1'
      ? 'It verifies every answer of a session.'
      : `It verifies one answer of every ${shown(n)} turns of a session.`,
  deadline: ({ deadline: ms }) =>
    `The gateway stops a scan after ${shown(ms)} ms and delivers the answer unchanged.`,
  firstToken: ({ firstToken: s }) =>
    `If the first token of an answer takes longer than ${shown(s)} seconds, the gateway delivers the answer unverified.`,
  total: ({ total: s }) =>
    `The gateway delivers an answer ${shown(s)} seconds after its request, even if its verification is not complete.`,
};

const shown = (value: string): string => (value.trim() === '' ? '…' : value.trim());

export const integrityChoices: readonly {
  readonly mode: RouteSettings['integrity']['mode'];
  readonly name: string;
  readonly meaning: string;
}[] = [
  {
    mode: 'observe',
    name: 'Observe',
    meaning: 'The gateway delivers answers immediately and traces their figures afterwards.',
  },
  {
    mode: 'hold',
    name: 'Hold',
    meaning:
      'The gateway buffers an answer until its figures are traced. If a figure has no source, the gateway requests the answer once more, then marks the figure.',
  },
  { mode: 'off', name: 'Off', meaning: 'The gateway does not trace figures of this route.' },
];

export const verifyChoices: readonly {
  readonly mode: RouteVerifier['mode'];
  readonly name: string;
  readonly meaning: string;
}[] = [
  {
    mode: 'observe',
    name: 'Observe',
    meaning: 'The gateway delivers answers immediately; the stored turn is verified afterwards.',
  },
  {
    mode: 'hold',
    name: 'Hold',
    meaning:
      'The gateway buffers an answer until its verdict, at most until the delivery timeout, and reports the outcome to the client.',
  },
  {
    mode: 'steer',
    name: 'Steer',
    meaning:
      'As hold. If the answer fails, the gateway requests it once more with the feedback of the verdict.',
  },
];
