import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such dataset</h1>
      <p>
        This project has no dataset with this slug, or the dataset has no such version. It may have
        been deleted.
      </p>
    </PageBody>
  );
}
