import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such pipeline</h1>
      <p>
        This project has no checkpoint with this id. It may have been removed, or the address is
        wrong.
      </p>
    </PageBody>
  );
}
