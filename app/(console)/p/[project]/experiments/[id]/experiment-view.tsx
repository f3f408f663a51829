'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Crumbs } from '@/app/(console)/crumbs';
import { LiveMark } from '@/app/(console)/live-state';
import { may } from '@/app/(console)/pages';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { Experiment, Project, VerdictPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { buttonClass } from '@/app/_ui/button';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ErrorPanel } from '@/app/_ui/panel';
import { plainText } from '@/app/_ui/visible-text';
import { compareHref, isActive } from '../experiment-words';
import { AboutPanel } from './about-panel';
import { FailedPanel } from './failed-panel';
import { ProgressPanel } from './progress-panel';
import { ResultsPanel } from './results-panel';
import { RunActions } from './run-actions';
import { VerdictPanel } from './verdict-panel';

interface ExperimentViewProps {
  project: Project;
  initial: Experiment;
  /** The first page of its verdicts. */
  verdicts: VerdictPage;
}

/** One experiment: its state and results, then its verdicts. */
export function ExperimentView({ project, initial, verdicts }: ExperimentViewProps) {
  const trpc = useTRPC();
  const { slug } = project;
  const read = useQuery(
    trpc.experiments.get.queryOptions({ project: slug, id: initial.id }, { initialData: initial }),
  );
  const { data: experiment, error } = read;
  const live = useLive(slug, () => void read.refetch());
  const { baselineId } = experiment;
  const results = <ResultsPanel project={slug} experiment={experiment} />;
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[
              {
                name: 'Experiments',
                href: `/p/${slug}/experiments`,
                list: `${slug}/experiments`,
              },
            ]}
            pageName="Experiment"
          />
        }
        title={plainText(experiment.name)}
      >
        <div className="flex flex-wrap items-center gap-2">
          <LiveMark state={live} readAt={read.dataUpdatedAt} />
          {may(project, 'prompts.write') ? (
            <RunActions
              project={slug}
              experiment={experiment}
              onChange={() => void read.refetch()}
            />
          ) : null}
          {baselineId === null ? null : (
            <Link
              href={compareHref(slug, [baselineId, experiment.id])}
              className={buttonClass('primary')}
            >
              Compare with baseline
            </Link>
          )}
        </div>
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The experiment could not be refreshed"
          works="The page shows the last loaded data; the experiment continues."
          problem={problemOf(error)}
          onRetry={() => void read.refetch()}
        />
      ) : null}
      {isActive(experiment.state) ? null : results}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <ProgressPanel experiment={experiment} />
        <AboutPanel project={slug} experiment={experiment} />
      </div>
      {isActive(experiment.state) ? results : null}
      {(['failed', 'lost'] as const).map((state) =>
        experiment.counts[state] > 0 ? (
          <FailedPanel key={state} project={slug} experiment={experiment} state={state} />
        ) : null,
      )}
      <VerdictPanel project={slug} experiment={experiment} first={verdicts} />
    </PageBody>
  );
}
