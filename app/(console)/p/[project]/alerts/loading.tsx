import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="alerts" blocks={['h-12 w-60', 'h-40', 'h-120']} />;
}
