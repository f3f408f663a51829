import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="the pipeline" blocks={['h-14', 'h-64', 'h-64', 'h-64']} />;
}
