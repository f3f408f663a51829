import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { NoPermission } from '@/app/(console)/no-permission';
import { may } from '@/app/(console)/pages';
import { load, loadMe, loadProject } from '@/app/_trpc/server';
import { PageBody } from '@/app/_ui/page-head';
import { reviewInput, reviewParsers } from '../filters';
import { ReviewView } from '../review-view';

export const metadata: Metadata = { title: 'Review' };

const readFilters = createLoader(reviewParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

/**
 * Counts only: items are reserved by the page once it runs, since a prefetched page must reserve
 * nothing.
 */
export default async function ReviewPage({ params, searchParams }: Props) {
  const { project: slug } = await params;
  const project = await loadProject(slug);
  if (!may(project, 'labels.write')) {
    return (
      <PageBody>
        <NoPermission title="Review" role={project.role} />
      </PageBody>
    );
  }
  const filters = await readFilters(searchParams);
  const { user } = await loadMe();
  const [initial, verdicts] = await Promise.all([
    load((caller) => caller.review.counts(reviewInput(slug, filters))),
    load((caller) => caller.verdicts.list({ project: slug, limit: 1 })),
  ]);
  return (
    <ReviewView
      project={slug}
      reader={user.email}
      initial={initial}
      initialFilters={filters}
      verifiers={verdicts.verifiers}
    />
  );
}
