import { PageLoading } from '@/app/_ui/page-loading';

export default function Loading() {
  return <PageLoading what="the verifier" blocks={['h-12 w-80', 'h-96']} />;
}
