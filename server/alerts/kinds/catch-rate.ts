import { quantityText } from '../../domain';
import { measuredKind } from './measured';

/** SOAR-26: target 0.70, alert below 0.60. */
export const catchRate = measuredKind({
  kind: 'catch_rate',
  title: 'Catch rate',
  severity: 'high',
  meaning: 'Share of bad work, by its labels, that the verifier flagged.',
  defaults: {
    enabled: true,
    limit: 0.6,
    windowMinutes: 30 * 1440,
    noData: 'ok',
    renotifyMinutes: 1440,
  },
  measure: 'catchRate',
  counted: (k, n) => `${k} caught of ${quantityText(n, 'labelled failure')}`,
  none: 'no labelled failure',
  advice: 'Review the missed failures, and adjust the verifier.',
  href: (verifier) => `/calibration/rows?verifier=${encodeURIComponent(verifier)}&cell=missed`,
});
