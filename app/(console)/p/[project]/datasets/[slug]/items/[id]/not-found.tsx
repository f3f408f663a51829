import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such item</h1>
      <p>The dataset has no item with this id, or your role may not read held-out items.</p>
    </PageBody>
  );
}
