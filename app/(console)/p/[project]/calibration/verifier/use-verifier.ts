'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { VerifierDetail } from '@/app/_trpc/outputs';
import { readVerifierName } from '@/server/domain';
import type { Days } from '@/server/measures/input';
import { type About, measureInput, reportInput, sliceOf, verifierHref } from '../addresses';

export interface FirstRead {
  /** The subject that `initial` was loaded for. */
  readonly first: About;
  readonly firstDays: Days;
  readonly initial: VerifierDetail;
}

/**
 * Everything that the page of a verifier shows. Data of the previous selection are null, because
 * they would appear under the wrong name.
 */
export function useVerifier(about: About, days: Days, { first, firstDays, initial }: FirstRead) {
  const { project, verifier, origin } = about;
  const trpc = useTRPC();
  const client = useQueryClient();
  const isOwn = origin === 'verifier';
  // For one policy or slice, only the report applies: the other numbers cover all of them.
  const isPart = about.policy != null || sliceOf(about) !== null;
  const isSeries =
    isOwn && !isPart && about.judge == null && readVerifierName(verifier).version === null;
  const sameAsFirst =
    verifierHref(about, days) ===
    verifierHref(
      { ...first, policy: about.policy ?? null, by: about.by ?? null, of: about.of ?? null },
      firstDays,
    );
  const options = trpc.calibration.get.queryOptions(measureInput(about, days), {
    ...(sameAsFirst && { initialData: initial }),
    placeholderData: keepPreviousData,
  });
  const measures = useQuery(options);
  const reportOptions = trpc.calibration.report.queryOptions(reportInput(about, days), {
    enabled: isOwn,
    placeholderData: keepPreviousData,
  });
  const report = useQuery(reportOptions);
  const query = { project, verifier, days };
  const of = (enabled: boolean) => ({ enabled, placeholderData: keepPreviousData });
  const marks = useQuery(trpc.charts.marks.queryOptions(query, of(isOwn)));
  const scores = useQuery(trpc.charts.scores.queryOptions(query, of(isSeries)));
  const costs = useQuery(trpc.charts.caughtCosts.queryOptions(query, of(isSeries)));
  const live = useLive(project, () => {
    void client.invalidateQueries({ queryKey: trpc.charts.pathKey() });
    void client.invalidateQueries({ queryKey: options.queryKey });
    void client.invalidateQueries({ queryKey: reportOptions.queryKey });
  });
  const current = <T>(query: { isPlaceholderData: boolean; data: T | undefined }): T | null =>
    query.isPlaceholderData ? null : (query.data ?? null);
  const [detail, reported] = [current(measures), current(report)];
  return {
    isOwn,
    isPart,
    isSeries,
    live,
    measures,
    report,
    charts: scores.error === null ? costs : scores,
    marks: marks.data ?? { marks: [], isCut: false },
    data: {
      shown: isPart ? reported : detail,
      detail,
      report: reported,
      scores: current(scores),
      costs: current(costs),
    },
  };
}
