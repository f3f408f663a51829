import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such comparison</h1>
      <p>
        The address names 2 to 6 experiments of this project. One of them may have been removed, or
        the address is wrong.
      </p>
    </PageBody>
  );
}
