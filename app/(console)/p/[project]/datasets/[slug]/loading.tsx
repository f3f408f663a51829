import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="dataset" blocks={['h-20', 'h-9', 'h-8']} rows={16} />;
}
