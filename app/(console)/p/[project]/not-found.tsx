import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>There is nothing here</h1>
      <p>
        This project has no such page or verdict. It may have been removed, or the address is wrong.
      </p>
    </PageBody>
  );
}
