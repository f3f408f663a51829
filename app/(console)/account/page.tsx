import type { Metadata } from 'next';
import { Shell } from '@/app/(console)/shell';
import { loadMe } from '@/app/_trpc/server';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';
import { PasswordForm } from './password-form';

export const metadata: Metadata = { title: 'Account' };

export default async function AccountPage() {
  const me = await loadMe();
  return (
    <Shell me={me} project={null}>
      <PageBody narrow>
        <PageHead title="Account" sub={`${me.user.name}, ${me.user.email}`} />
        <Panel title="Password">
          <PasswordForm email={me.user.email} />
        </Panel>
      </PageBody>
    </Shell>
  );
}
