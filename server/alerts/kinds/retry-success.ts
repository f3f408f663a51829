import { quantityText } from '../../domain';
import { verifierPage } from '../wording';
import { measuredKind } from './measured';

/** SOAR-28: target 0.60, alert below 0.50. Retries are counted, not queries (SOAR-30). */
export const retrySuccess = measuredKind({
  kind: 'retry_success',
  title: 'Retry success',
  severity: 'medium',
  meaning: 'Share of retries after a verdict that passed. Counts retries, not requests.',
  defaults: {
    enabled: true,
    limit: 0.5,
    windowMinutes: 7 * 1440,
    noData: 'ok',
    renotifyMinutes: 1440,
  },
  measure: 'retrySuccess',
  counted: (k, n) => `${k} passed of ${quantityText(n, 'retry', 'retries')}`,
  none: 'no retry',
  advice: 'Review the quality of the feedback for retries.',
  href: verifierPage,
});
