import { Skeleton } from '@/app/_ui/panel';

export default function Loading() {
  return (
    <div className="late grid gap-4 px-4 py-4 md:px-6" role="status" aria-label="Loading the trace">
      <Skeleton className="h-14" />
      <div className="grid gap-4 xl:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)_320px]">
        <Skeleton className="h-96" />
        <Skeleton className="h-96" />
        <Skeleton className="h-96" />
      </div>
    </div>
  );
}
