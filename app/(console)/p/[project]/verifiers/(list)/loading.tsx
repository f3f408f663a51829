import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading verifiers">
      <PageBody>
        <Skeleton className="h-8 w-40" />
        <Skeleton className="h-40" />
      </PageBody>
    </div>
  );
}
