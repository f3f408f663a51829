import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading alerts">
      <PageBody>
        <Skeleton className="h-12 w-60" />
        <Skeleton className="h-40" />
        <Skeleton className="h-120" />
      </PageBody>
    </div>
  );
}
