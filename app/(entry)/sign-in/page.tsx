import type { Metadata } from 'next';
import { sitePath } from '@/app/site-path';
import { load } from '@/app/_trpc/server';
import { PasskeyButton } from './passkey-button';
import { SignInForm } from './sign-in-form';
import { SsoButton } from './sso-button';
import { ssoProblem } from './sso-words';

export const metadata: Metadata = { title: 'Sign in' };

interface Props {
  searchParams: Promise<{ next?: string | string[]; error?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: Props) {
  const { next, error } = await searchParams;
  const { singleSignOn, passwords, passkeys, command } = await load((caller) =>
    caller.account.signInOptions(),
  );
  const target = sitePath(first(next));
  const code = first(error);
  return (
    <>
      <h1>Sign in</h1>
      {singleSignOn === null ? null : (
        <SsoButton
          name={singleSignOn.name}
          next={target}
          problem={code === undefined ? null : ssoProblem(code)}
        />
      )}
      {passwords === 'off' ? (
        <details>
          <summary className="cursor-pointer">Sign in as an operator</summary>
          <div className="pt-3">
            <SignInForm next={target} />
          </div>
        </details>
      ) : (
        <SignInForm next={target} />
      )}
      {passkeys && passwords !== 'off' ? <PasskeyButton next={target} /> : null}
      {singleSignOn === null ? (
        <p className="text-12 text-ink-3">
          No account yet? When Assay starts, it prints a link that creates the owner’s account;{' '}
          <code className="font-mono">{command} owner-link</code> prints a new one. Everyone else is
          invited to a project.
        </p>
      ) : null}
    </>
  );
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
