import type { ProbeDetail, ProbePlan, ProbeRun } from '@/app/_trpc/outputs';
import type { Probe } from '@/server/experiments/input';
import { costText } from '../../traces/amounts';

/** Texts about probes. */

type Findings = NonNullable<ProbeRun['findings']>;

export const isProbing = ({ state }: ProbeRun): boolean => state === 'running';

export const probeName: Record<Probe, string> = {
  repeatability: 'Repeatability',
  order: 'Order',
  length: 'Length',
  self_preference: 'Preference for its own family',
  canaries: 'Known-bad work',
};

export const probeMeaning: Record<Probe, string> = {
  repeatability:
    'The same work is judged several times. A judge that is inconsistent decides at random near its threshold.',
  order:
    'Criteria or outputs are shown in the opposite order. The first should weigh no more than the last.',
  length:
    'Polite sentences without content make the work longer. A judge that changes its verdict judges by length.',
  self_preference:
    'Labelled verdicts on work of the judge’s own family compared with those on the work of others. Calls no model.',
  canaries:
    'Empty texts, introductions without an answer, and instructions to the judge in place of work. None of it may pass.',
};

export const probeStateText: Record<ProbeRun['state'], string> = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const variantName: Record<string, string> = {
  as_is: 'Original',
  reordered: 'Reversed order',
  padded: 'Lengthened',
  canary: 'Original',
};

/** `Original`, `Reversed order`, `Original, 2nd time`. */
export function answerName(
  { variant, repeat }: ProbeDetail['rows'][number]['answers'][number],
  repeats: number,
): string {
  const name = variantName[variant] ?? variant;
  return repeats < 2 ? name : `Time ${(repeat + 1).toLocaleString('en')}`;
}

const count = (n: number): string => n.toLocaleString('en');
const many = (n: number, one: string, more: string): string =>
  `${count(n)} ${n === 1 ? one : more}`;

/** The estimate of a probe, one sentence for each question to answer before it is started. */
export function probePlanSentences({
  probe,
  items,
  labelled,
  answers,
  judges,
  tokens,
  costUsd,
}: ProbePlan): readonly string[] {
  if (probe === 'self_preference')
    return ['It reads labelled verdicts of the verifier’s current version, and calls no model.'];
  const of =
    probe === 'canaries'
      ? `${many(items, 'piece', 'pieces')} of work that is known to be bad`
      : `${many(items, 'subject', 'subjects')}, ${count(labelled)} of them labelled`;
  const has = `It judges ${of}: ${many(answers, 'verdict', 'verdicts')}, of which none is stored or counted.`;
  const cost =
    costUsd === null
      ? 'an unknown cost: the price of a judge is not listed'
      : `at most ${costText(costUsd)}`;
  return judges.length === 0
    ? [has]
    : [has, `That takes about ${count(tokens)} tokens of ${judges.join(', ')}, ${cost}.`];
}

/** The finding in one sentence, with its counts. */
export function findingText(findings: Findings): string {
  switch (findings.probe) {
    case 'repeatability': {
      const { numerator, denominator } = findings.moved;
      if (denominator === 0) return 'No subject was decided twice.';
      return numerator === 0
        ? `It decided the same on all ${many(denominator, 'subject', 'subjects')} each time.`
        : `It changed its mind on ${count(numerator ?? 0)} of ${many(denominator, 'subject', 'subjects')}.`;
    }
    case 'order':
      return orderText(findings);
    case 'length': {
      const { numerator, denominator } = findings.flips;
      if (denominator === 0) return 'No subject was decided in both lengths.';
      return numerator === 0
        ? `None of ${many(denominator, 'subject', 'subjects')} changed its outcome when lengthened.`
        : `${count(numerator ?? 0)} of ${many(denominator, 'subject', 'subjects')} changed their outcome when lengthened: ${count(findings.toPassed)} then passed, ${count(findings.fromPassed)} no longer did.`;
    }
    case 'self_preference':
      return findings.own.denominator === 0
        ? 'It has judged no labelled work of its own family.'
        : `It was wrong about ${fraction(findings.own)} of its own family, and about ${fraction(findings.others)} of others.`;
    case 'canaries': {
      const { passed, stopped } = findings;
      if (passed + stopped === 0) return 'No subject was decided.';
      return passed === 0
        ? `None of ${count(stopped)} passed.`
        : `${count(passed)} of ${count(passed + stopped)} wrongly passed.`;
    }
  }
}

function orderText({ consistent, parts }: Extract<Findings, { probe: 'order' }>): string {
  const { numerator, denominator } = consistent;
  if (denominator === 0) return 'No subject was decided in both orders.';
  const outcomeText = `${count(numerator ?? 0)} of ${many(denominator, 'subject', 'subjects')} had the same outcome in both orders`;
  if (parts === null || parts.n === 0) return `${outcomeText}.`;
  return `${outcomeText}; of ${many(parts.n, 'criterion', 'criteria')}, ${count(parts.first)} ${parts.first === 1 ? 'was' : 'were'} met only nearer to the front and ${count(parts.second)} only nearer to the end.`;
}

const fraction = ({
  numerator,
  denominator,
}: {
  readonly numerator: number | null;
  readonly denominator: number;
}): string => `${count(numerator ?? 0)} of ${count(denominator)}`;

/** Answers that no figure counts; null when there are none. */
export function excludedText(findings: Findings): string | null {
  if (findings.probe === 'self_preference')
    return findings.unknown === 0
      ? null
      : `${count(findings.unknown)} with a family that is not known`;
  const parts = [
    ...(findings.undecided === 0 ? [] : [`${count(findings.undecided)} not decided`]),
    ...(findings.leftOut === 0 ? [] : [`${count(findings.leftOut)} left out`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}
