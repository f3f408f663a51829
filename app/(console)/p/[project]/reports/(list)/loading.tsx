import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading the reports">
      <PageBody>
        <Skeleton className="h-12" />
        <Skeleton className="h-40" />
        <Skeleton className="h-96" />
      </PageBody>
    </div>
  );
}
