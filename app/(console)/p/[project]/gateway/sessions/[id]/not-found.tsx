import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such session</h1>
      <p>
        The gateway has no calls of this session. It may have been removed, or the address is wrong.
      </p>
    </PageBody>
  );
}
