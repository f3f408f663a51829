import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading calls">
      <PageBody>
        <Skeleton className="h-8 w-40" />
        <Skeleton className="h-18" />
        <div className="grid gap-px">
          {Array.from({ length: 20 }, (_, index) => (
            <Skeleton key={index} className="h-[31px]" />
          ))}
        </div>
      </PageBody>
    </div>
  );
}
