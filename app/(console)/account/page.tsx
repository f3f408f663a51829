import type { Metadata } from 'next';
import { Shell } from '@/app/(console)/shell';
import { load, loadMe } from '@/app/_trpc/server';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';
import { PasskeyPanel } from './passkey-panel';
import { PasswordForm } from './password-form';
import { SecondFactorPanel } from './second-factor-panel';

export const metadata: Metadata = { title: 'Account' };

export default async function AccountPage() {
  const [me, { hasCode, passkeys, canUsePasskeys }] = await Promise.all([
    loadMe(),
    load((caller) => caller.account.signInMethods()),
  ]);
  return (
    <Shell me={me} project={null}>
      <PageBody narrow>
        <PageHead title="Account" sub={`${me.user.name}, ${me.user.email}`} />
        <Panel title="Password">
          <PasswordForm email={me.user.email} />
        </Panel>
        <SecondFactorPanel isOn={hasCode} email={me.user.email} />
        <PasskeyPanel passkeys={passkeys} isPossible={canUsePasskeys} email={me.user.email} />
      </PageBody>
    </Shell>
  );
}
