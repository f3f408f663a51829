import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="the comparison" blocks={['h-14', 'h-16', 'h-40', 'h-40', 'h-96']} />;
}
