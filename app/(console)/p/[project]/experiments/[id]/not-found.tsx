import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such experiment</h1>
      <p>
        This project has no experiment with this id. It may have been removed, or the address is
        wrong.
      </p>
    </PageBody>
  );
}
