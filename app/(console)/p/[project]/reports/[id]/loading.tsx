import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="the report" blocks={['h-14', 'h-56', 'h-56', 'h-56', 'h-56']} />;
}
