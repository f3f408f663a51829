import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading the route">
      <PageBody>
        <Skeleton className="h-14" />
        <Skeleton className="h-56" />
        <Skeleton className="h-96" />
      </PageBody>
    </div>
  );
}
