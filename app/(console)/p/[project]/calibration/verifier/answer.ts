import type { Measure, Trust } from '@/app/_trpc/outputs';
import { measuredText } from '@/app/_ui/rate';

/** The subject of the sentence. */
export interface AnswerOf {
  /** As it begins a sentence: `Integrity`. */
  readonly name: string;
  readonly catchRate: Measure;
  readonly falseRejectionRate: Measure;
  /** The locale of dates. */
  readonly locale: string;
  /** Undefined while unknown, or where the numbers cover only a part of the verifier's work. */
  readonly trust?: Pick<Trust, 'state' | 'since' | 'mayBlock'> | undefined;
}

/** How often a verifier is right, in one sentence with its uncertainty and its trust. Pure. */
export function answerText({
  name,
  catchRate,
  falseRejectionRate,
  trust,
  locale,
}: AnswerOf): string {
  const [bad, good] = [catchRate.denominator, falseRejectionRate.denominator];
  if (bad + good === 0)
    return `No label in this period shows how often ${name} is right${trustText(trust, locale)}.`;
  const parts = [
    bad === 0 ? null : `${name} ${shareText('catches', catchRate, 'caught', 'bad')}`,
    good === 0
      ? null
      : `${bad === 0 ? `${name} ` : ''}${shareText('wrongly fails', falseRejectionRate, 'wrongly failed', 'good')}`,
  ].filter((part) => part !== null);
  const missing =
    bad === 0
      ? '; its catch rate is unknown, because no bad work is labelled'
      : good === 0
        ? '; its false rejections are unknown, because no good work is labelled'
        : '';
  return `${parts.join(' and ')}${missing}${trustText(trust, locale)}.`;
}

/** A rate from 20 labels on, else its counts. */
function shareText(verb: string, measure: Measure, past: string, work: 'bad' | 'good'): string {
  const { rate, interval } = measuredText(measure);
  const n = measure.denominator.toLocaleString('en');
  return rate === null
    ? `${past} ${(measure.numerator ?? 0).toLocaleString('en')} of ${n} labelled pieces of ${work} work`
    : `${verb} ${rate} of ${work} work (95% interval ${interval}, ${n} labels)`;
}

function trustText(trust: AnswerOf['trust'], locale: string): string {
  if (trust === undefined) return '';
  const { state, since, mayBlock } = trust;
  const when = since === null ? '' : ` since ${dayText(since, locale)}`;
  const advises = mayBlock ? '' : ', so it only advises';
  if (state === 'qualified') return `; trusted${when}`;
  if (state === 'stale') return `; no longer trusted${when}${advises}`;
  return `; not trusted yet${advises}`;
}

const dayText = (day: Date, locale: string): string =>
  day.toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' });
