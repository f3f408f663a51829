import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="the reports" blocks={['h-12', 'h-40', 'h-96']} />;
}
