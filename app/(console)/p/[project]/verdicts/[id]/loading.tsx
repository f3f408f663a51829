import { Skeleton } from '@/app/_ui/panel';
import { LoadingKeys } from './loading-keys';

export default function Loading() {
  return (
    <div
      className="late grid gap-4 px-4 py-4 md:px-6"
      role="status"
      aria-label="Loading the verdict"
    >
      <LoadingKeys />
      <Skeleton className="h-24" />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Skeleton className="h-96" />
        <Skeleton className="h-96" />
      </div>
    </div>
  );
}
