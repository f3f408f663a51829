import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such verdict</h1>
      <p>
        This project has no verdict with this id. It may have been pruned, or the address is wrong.
      </p>
    </PageBody>
  );
}
