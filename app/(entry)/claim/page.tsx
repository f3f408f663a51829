import type { Metadata } from 'next';
import Link from 'next/link';
import { load } from '@/app/_trpc/server';
import { ClaimForm } from './claim-form';
import { ResetForm } from './reset-form';

export const metadata: Metadata = { title: 'Create your account' };

interface Props {
  searchParams: Promise<{ token?: string | string[] }>;
}

export default async function ClaimPage({ searchParams }: Props) {
  const { token } = await searchParams;
  const one = (Array.isArray(token) ? token[0] : token) ?? '';
  const state = await load((caller) => caller.account.claimState({ token: one }));
  if (state.state === 'open' && state.kind === 'password')
    return <ResetForm token={one} email={state.email ?? ''} />;
  if (state.state === 'open') return <ClaimForm token={one} claim={state} />;
  return (
    <>
      <h1>{state.state === 'used' ? 'This link has been used' : 'This link is not known'}</h1>
      <p>
        {state.state === 'used'
          ? 'Each link works once. If it was you, sign in with the password that you chose.'
          : 'It may be cut off or expired. Copy the whole address again, or ask for a new one; assay owner-link prints a new one for the owner.'}
      </p>
      <Link href="/sign-in" className="underline">
        Sign in
      </Link>
    </>
  );
}
