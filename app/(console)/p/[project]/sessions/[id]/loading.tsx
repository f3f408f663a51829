import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return (
    <PageLoading what="the session" blocks={['h-14', 'h-48', 'h-48', 'h-48', 'h-48']} narrow />
  );
}
