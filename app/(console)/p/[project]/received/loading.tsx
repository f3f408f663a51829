import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="received items" blocks={['h-8 w-40', 'h-18']} rows={20} />;
}
