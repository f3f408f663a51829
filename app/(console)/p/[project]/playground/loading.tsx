import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="the playground" blocks={['h-72', 'h-16']} rows={4} />;
}
