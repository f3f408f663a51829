import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="the experiment" blocks={['h-14', 'h-40', 'h-48']} rows={10} />;
}
