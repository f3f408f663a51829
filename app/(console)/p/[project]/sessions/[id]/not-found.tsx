import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such session</h1>
      <p>
        This project has no session with this id. It may have been removed, or the address is wrong.
      </p>
    </PageBody>
  );
}
