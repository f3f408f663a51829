import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such report</h1>
      <p>
        No report of this project has this id. The address is wrong, or it is another
        project&rsquo;s.
      </p>
    </PageBody>
  );
}
