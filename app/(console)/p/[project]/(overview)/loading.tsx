import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading the overview">
      <PageBody>
        <Skeleton className="h-14 max-w-[88ch]" />
        <Skeleton className="h-24" />
        <Skeleton className="h-56" />
        <Skeleton className="h-[334px]" />
      </PageBody>
    </div>
  );
}
