import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading the review queue">
      <PageBody>
        <Skeleton className="h-14" />
        <Skeleton className="h-8" />
        <div className="grid gap-4 xl:grid-cols-[240px_minmax(0,1fr)_340px]">
          <Skeleton className="h-96" />
          <Skeleton className="h-96" />
          <Skeleton className="h-96" />
        </div>
      </PageBody>
    </div>
  );
}
