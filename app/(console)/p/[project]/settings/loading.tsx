import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late grid gap-4" role="status" aria-label="Loading settings">
      <Skeleton className="h-8 w-40" />
      <Skeleton className="h-64" />
    </div>
  );
}
