import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such session</h1>
      <p>
        No call of this project came through the gateway under this session. It may have been
        removed, or the address is wrong.
      </p>
    </PageBody>
  );
}
