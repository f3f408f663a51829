import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="experiments" blocks={['h-8 w-40', 'h-8']} rows={20} />;
}
