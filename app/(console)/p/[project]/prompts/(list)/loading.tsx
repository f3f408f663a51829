import { PageBody } from '@/app/_ui/page-head';
import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late" role="status" aria-label="Loading prompts">
      <PageBody>
        <Skeleton className="h-8 w-40" />
        <Skeleton className="h-64" />
      </PageBody>
    </div>
  );
}
