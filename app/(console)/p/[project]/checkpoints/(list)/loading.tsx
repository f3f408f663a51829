import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading the checkpoints">
      <PageBody>
        <Skeleton className="h-8 w-40" />
        <div className="grid gap-4 xl:grid-cols-2">
          {Array.from({ length: 4 }, (_, index) => (
            <Skeleton key={index} className="h-64" />
          ))}
        </div>
        <div className="grid gap-px">
          {Array.from({ length: 12 }, (_, index) => (
            <Skeleton key={index} className="h-[31px]" />
          ))}
        </div>
      </PageBody>
    </div>
  );
}
