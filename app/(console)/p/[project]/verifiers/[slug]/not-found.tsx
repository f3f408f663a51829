import { PageBody } from '@/app/_ui/page-head';

export default function NotFound() {
  return (
    <PageBody narrow>
      <h1>No such verifier</h1>
      <p>This release has no verifier of this name.</p>
    </PageBody>
  );
}
