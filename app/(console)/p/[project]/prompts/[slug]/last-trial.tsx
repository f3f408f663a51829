'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { Trial } from '@/app/_trpc/outputs';
import { rateText } from '@/app/_ui/rate';
import { textName } from './change-panel';

/** What the last trial of a version came to, for whoever is about to promote it. */
export function LastTrial({ project, slug, version }: { project: string; slug: string; version: number }) {
  const trpc = useTRPC();
  const trials = useQuery(trpc.prompts.trials.queryOptions({ project, slug }));
  const last = trials.data?.find((each) => each.version === version && each.state === 'done');
  const { data } = useQuery(trpc.prompts.trial.queryOptions({ project, slug, id: last?.id ?? '' }, { enabled: last !== undefined }));
  if (trials.data === undefined || (last !== undefined && data === undefined)) return null;
  return (
    <p role="status" aria-label="Last trial">
      {data === undefined ? 'It was not tried on history yet.' : sentenceOf(data)}
    </p>
  );
}

function sentenceOf({ tried, production, productionVersion }: Trial): string {
  const own = `On history it agreed with the truth in ${agreementOf(tried)}`;
  if (production === null || productionVersion === null) return `${own}.`;
  return `${own}; ${textName(productionVersion)} in ${agreementOf(production)}.`;
}

function agreementOf({ rates: { agreement } }: Trial['tried']): string {
  const { counts, rate, interval } = rateText(agreement.numerator ?? 0, agreement.denominator);
  return rate === null ? counts : `${counts}, ${rate} (${interval})`;
}
