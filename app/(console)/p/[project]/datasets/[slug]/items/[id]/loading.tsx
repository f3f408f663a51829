import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading the item">
      <PageBody>
        <Skeleton className="h-14" />
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_340px]">
          <Skeleton className="h-[520px]" />
          <Skeleton className="h-80" />
        </div>
      </PageBody>
    </div>
  );
}
