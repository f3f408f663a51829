import { minSampleSize } from '../../domain';
import type { Measure, Rates, VerifierMeasures } from '../../measures';
import type { AlertKind } from '../alert-facts';
import { alertFacts } from '../alert-facts';
import type { AlertKindRule, AlertFinding, AlertCheck, EffectiveRule } from '../kind';
import { percent, spanOf, verifierName } from '../wording';

/** One of SOAR's measures, checked for each verifier (SOAR-26 to SOAR-28). */
export interface MeasuredKind
  extends Pick<AlertKindRule, 'kind' | 'severity' | 'meaning' | 'defaults'> {
  /** Name of the measure, shown before the verifier's name. */
  readonly title: string;
  readonly measure: keyof Rates;
  /** The counts in words: `caught`, `of 20 failures with a label`. */
  readonly counted: (numerator: number, denominator: number) => string;
  /** Name of the missing items, for the message when there is no data. */
  readonly none: string;
  readonly advice: string;
  readonly href: (verifier: string) => string;
}

/**
 * Alerts if the measure is strictly beyond its limit (SOAR-29). The comparison is exact: a quotient
 * of integers and a parsed limit round to the same float, so that 12 of 20 is 0.6. Fewer than 20
 * items are counts and not a rate, and therefore no data.
 */
export function measuredKind(about: MeasuredKind): AlertKindRule {
  return {
    kind: about.kind,
    severity: about.severity,
    meaning: about.meaning,
    defaults: about.defaults,
    limits: { min: 0, max: 1 },
    whenNotFound: 'no_data',
    find: (check) => findMeasured(check, about),
  };
}

async function findMeasured(check: AlertCheck, about: MeasuredKind): Promise<AlertFinding[]> {
  const found: AlertFinding[] = [];
  for (const window of check.windowsOf(about.kind)) {
    for (const each of await check.measures(window)) {
      const rule = check.ruleFor(about.kind, each.verifier);
      if (
        each.origin !== 'verifier' ||
        rule.windowMinutes !== window ||
        !isSeen(each, each.rates[about.measure])
      )
        continue;
      found.push(measureFinding(about, each.verifier, each.rates[about.measure], rule));
    }
  }
  return found;
}

/** Omits a series without activity in the window. */
const isSeen = ({ counts }: VerifierMeasures, { denominator }: Measure): boolean =>
  denominator > 0 || counts.decided > 0;

export function measureFinding(
  about: MeasuredKind,
  verifier: string,
  measure: Measure,
  rule: EffectiveRule,
): AlertFinding {
  const { value, denominator } = measure;
  const name = verifierName(verifier);
  const { limit } = rule;
  const shown = { series: verifier, name, verifier, limit, href: about.href(verifier) };
  const title = `${about.title} of ${name}`;
  if (value === null || measure.numerator === null) {
    return {
      ...shown,
      state: 'no_data',
      value: null,
      message: `${title}: ${about.none} in ${spanOf(rule.windowMinutes)}.`,
      advice: null,
    };
  }
  const counts = about.counted(measure.numerator, denominator);
  if (denominator < minSampleSize || limit === null) {
    const message = `${title}: ${counts}. A rate needs ${minSampleSize}.`;
    return { ...shown, state: 'no_data', value: null, message, advice: null };
  }
  const isAlerting = isBeyond(about.kind, value, limit);
  const side = alertFacts[about.kind].alerts;
  const message = `${title}: ${percent(value)} (${counts}) in ${spanOf(rule.windowMinutes)}${isAlerting ? `, ${side} the limit of` : '; the limit is'} ${percent(limit)}.`;
  return {
    ...shown,
    state: isAlerting ? 'alerting' : 'ok',
    value,
    message,
    advice: isAlerting ? about.advice : null,
  };
}

/** A value equal to the limit does not alert. */
export function isBeyond(kind: AlertKind, value: number, limit: number): boolean {
  return alertFacts[kind].alerts === 'below' ? value < limit : value > limit;
}
