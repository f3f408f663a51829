import { quantityText } from '../../domain';
import { measuredKind } from './measured';

/**
 * SOAR-27: target 0.10, alert above 0.15. SOAR's formula: false rejections as a share of all
 * labelled verdicts, not of the good ones.
 */
export const falsePositiveRate = measuredKind({
  kind: 'false_positive_rate',
  title: 'Share of false rejections',
  severity: 'medium',
  meaning: 'Share of labelled verdicts that rejected good work: false rejections.',
  defaults: {
    enabled: true,
    limit: 0.15,
    windowMinutes: 30 * 1440,
    noData: 'ok',
    renotifyMinutes: 1440,
  },
  measure: 'falsePositiveRate',
  counted: (k, n) =>
    `${quantityText(k, 'false rejection')} in ${quantityText(n, 'labelled verdict')}`,
  none: 'no verdict with a label',
  advice: 'Review the false rejections, and relax the verifier.',
  href: (verifier) => `/calibration/rows?verifier=${encodeURIComponent(verifier)}&cell=rejected`,
});
