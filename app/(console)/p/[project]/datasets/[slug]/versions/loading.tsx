import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="versions" blocks={['h-20', 'h-9', 'h-64', 'h-64']} />;
}
