import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such route</h1>
      <p>
        This project has no route of this name, and no provider of it either. It may have been
        deleted, or the address is wrong.
      </p>
    </PageBody>
  );
}
