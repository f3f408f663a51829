import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such prompt</h1>
      <p>This release has no prompt of this name, or this project has no such version.</p>
    </PageBody>
  );
}
