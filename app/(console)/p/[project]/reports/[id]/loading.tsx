import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading the report">
      <PageBody>
        <Skeleton className="h-14" />
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index} className="h-56" />
        ))}
      </PageBody>
    </div>
  );
}
