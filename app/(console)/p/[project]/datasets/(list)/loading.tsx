import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="datasets" blocks={['h-8 w-40']} rows={8} />;
}
