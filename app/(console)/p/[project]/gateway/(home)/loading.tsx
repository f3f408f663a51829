import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return (
    <PageLoading
      what="the gateway"
      blocks={['h-8 w-40', 'h-28', 'h-28', 'h-40', 'h-56']}
      rows={12}
    />
  );
}
