import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading the gateway">
      <PageBody>
        <Skeleton className="h-8 w-40" />
        <Skeleton className="h-28" />
        <Skeleton className="h-28" />
        <Skeleton className="h-40" />
        <Skeleton className="h-56" />
        <div className="grid gap-px">
          {Array.from({ length: 12 }, (_, index) => (
            <Skeleton key={index} className="h-[31px]" />
          ))}
        </div>
      </PageBody>
    </div>
  );
}
